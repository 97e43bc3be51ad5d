package palette

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	uicalls "munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/palette"
	"munadi/ui/scenarios"
)

// The limits of what the palette reads and shows of one kind.
const (
	maxPaletteItems  = 5 // the list that has all is linked
	minSearchDigits  = 3
	minSearchLetters = 2 // of a name
	maxSearchLetters = 60
)

// showPalette shows the pages, people, calls, campaigns and scenarios that match the typed characters. With scripts the
// page is the content of a dialog that Ctrl-K opens.
func (s handlers) showPalette(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := strings.TrimSpace(c.QueryParam("q"))
	if utf8.RuneCountInString(typed) > maxSearchLetters {
		typed = ""
	}
	p := palette.View{
		ConsolePage: s.ConsoleFrame(c, locale.ConsolePalette.In(v.Lang)), Typed: typed,
	}
	p.Found = append(p.Found, paletteSections(s.AllowedSections(c), typed, v.Lang)...)
	ctx := c.Request().Context()
	people, err := s.palettePeople(ctx, v, typed, s.OrganizationZone(c))
	if err != nil {
		return err
	}
	p.Found, p.Unnamed = append(p.Found, people...), store.DamageReportOf(ctx).IsUnnamed()
	for _, search := range []func(context.Context, kit.Visitor, string) ([]palette.Item, error){
		s.paletteCampaigns, s.paletteScenarios,
	} {
		found, err := search(ctx, v, typed)
		if err != nil {
			return err
		}
		p.Found = append(p.Found, found...)
	}
	return kit.RenderPage(c, http.StatusOK, palette.Page(p))
}

func paletteSections(all []layout.ConsoleSection, typed string, l locale.Language) (found []palette.Item) {
	for _, section := range all {
		if name := section.Name.In(l); kit.ContainsFold(name, typed) || kit.ContainsFold(section.ID, typed) && typed != "" {
			found = append(
				found, palette.Item{Kind: locale.ConsolePalettePages.In(l), Name: name, Href: section.SectionPath()},
			)
		}
	}
	return found
}

// palettePeople finds people by the beginnings of their name or the end of their number, and the latest call of each.
func (s handlers) palettePeople(
	ctx context.Context, v kit.Visitor, typed string, zone *time.Location,
) (found []palette.Item, err error) {
	f := peopleFilter(typed)
	if f.Limit == 0 {
		return nil, nil
	}
	plans, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return nil, err
	}
	calls, err := s.Store.CallsPage(ctx, v.Org.ID, f)
	seen := map[string]bool{}
	var people, latest []palette.Item
	for _, c := range calls.Items {
		if seen[c.PhoneNumber] || len(people) == maxPaletteItems {
			continue
		}
		seen[c.PhoneNumber] = true
		plan, _ := kit.FindScenario(plans, c.ScenarioID)
		person := palette.Item{
			Kind: locale.ConsolePalettePeople.In(v.Lang), Name: cmp.Or(c.PersonName(), plan.PersonName(c.Variables)),
			Number: c.PhoneNumber, Href: uicalls.PersonPath(c.PhoneNumber),
		}
		if person.Name == "" {
			person.Name, person.Number, person.Latin = person.Number, "", true
		}
		one := person
		one.Kind, one.Href = locale.ConsolePaletteCalls.In(v.Lang), uicalls.CallsPath+"/"+c.ID
		one.Note = locale.StatusWord(v.Lang, uicalls.ShownStatus(c)) + " · \u2066" +
			c.ScheduledAt.In(zone).Format("2006-01-02 15:04") + "\u2069"
		if latest = append(latest, one); c.PhoneNumber != "" { // of a withheld number there is no page
			people = append(people, person)
		}
	}
	if len(latest) < len(calls.Items) || calls.Next != "" {
		latest = append(latest, moreItem(locale.ConsolePaletteCalls, uicalls.CallsPath, "number", typed, v.Lang))
	}
	return append(people, latest...), err
}

// moreItem leads to the list that shows all that match.
func moreItem(kind locale.Text, path, field, typed string, l locale.Language) palette.Item {
	return palette.Item{Kind: kind.In(l), Name: locale.ConsolePaletteMore.In(l), Href: kit.BuildURL(path, field, typed)}
}

// peopleFilter is the search for people by what is typed; without a limit it is neither a part of a name nor of a
// number.
func peopleFilter(typed string) store.CallFilter {
	if name := kit.SearchedName(typed); name != "" {
		if utf8.RuneCountInString(name) < minSearchLetters {
			return store.CallFilter{}
		}
		return store.CallFilter{Name: name, Limit: kit.RowsPerPage, MaxExamined: kit.MaxExaminedByName}
	}
	number, _ := kit.PhoneNumber(typed)
	tail := strings.TrimLeft(number, "+0")
	if len(tail) < minSearchDigits || strings.Trim(tail, "0123456789") != "" {
		return store.CallFilter{}
	}
	return store.CallFilter{NumberEnds: tail, Sort: store.SortByDueTime, Limit: kit.MaxStorePage}
}

func (s handlers) paletteCampaigns(
	ctx context.Context, v kit.Visitor, typed string,
) ([]palette.Item, error) {
	if typed == "" {
		return nil, nil
	}
	var found []palette.Item
	for cursor := ""; ; {
		page, err := s.Store.CampaignsPage(ctx, v.Org.ID, kit.MaxStorePage, cursor)
		if err != nil {
			return nil, err
		}
		for _, one := range page.Items {
			switch {
			case !kit.ContainsFold(one.Name, typed):
			case len(found) == maxPaletteItems:
				return append(found, moreItem(campaigns.Title, campaigns.CampaignsPath, "q", typed, v.Lang)), nil
			default:
				found = append(
					found,
					palette.Item{Kind: campaigns.Title.In(v.Lang), Name: one.Name, Href: campaigns.CampaignsPath + "/" + one.ID},
				)
			}
		}
		if cursor = page.Next; cursor == "" {
			return found, nil
		}
	}
}

func (s handlers) paletteScenarios(
	ctx context.Context, v kit.Visitor, typed string,
) ([]palette.Item, error) {
	if typed == "" {
		return nil, nil
	}
	all, err := s.ListScenariosFor(ctx, v)
	var found []palette.Item
	for _, one := range all {
		name := kit.ScenarioName(all, one.ID)
		switch {
		case !kit.ContainsFold(name, typed) && !kit.ContainsFold(one.ID, typed):
		case len(found) == maxPaletteItems:
			return append(found, moreItem(scenarios.Title, kit.Root+"/scenarios", "q", typed, v.Lang)), nil
		default:
			found = append(
				found, palette.Item{Kind: scenarios.Title.In(v.Lang), Name: name, Href: kit.Root + "/scenarios/" + one.ID},
			)
		}
	}
	return found, err
}
