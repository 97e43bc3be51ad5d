package inbound

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	routes "munadi/store/inbound"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/inbound"
)

// shownForms are the forms of the page, as far as one was submitted; nil fields are shown afresh.
type shownForms struct {
	route, settings, caller []form.Field
	replaced                form.ReplacedSetting // with settings
}

func (s handlers) showInbound(c echo.Context) error {
	return s.showPage(c, http.StatusOK, shownForms{})
}

// showPage shows the routes and the forms.
func (s handlers) showPage(c echo.Context, status int, shown shownForms) error {
	v := kit.RequestVisitor(c)
	kept, scenarios, err := s.readSettings(c)
	if err != nil {
		return err
	}
	fresh := func() *form.Binder { return form.NewBinder(v.Lang, nil, nil) }
	p := inbound.View{
		Route: shown.route, Settings: shown.settings, Caller: shown.caller, ReplacedSetting: shown.replaced,
		ConsolePage: s.ConsoleFrame(c, inbound.Title.In(v.Lang)), Governs: v.User.IsGovernor(),
	}
	if p.Route == nil {
		p.Route = inbound.BindRoute(fresh(), &routes.Route{}, kit.BookableScenarios(scenarios))
	}
	if p.Settings == nil {
		p.ReplacedSetting, p.Settings = kit.ReplacedSetting(kept, shownPart), inbound.BindSettings(fresh(), &kept)
	}
	if p.Caller == nil && s.Simulated {
		p.Caller = inbound.BindCaller(fresh(), &inbound.SimulatedCaller{})
	}
	p.Routes, p.TableList = kit.PageRows(c, "/inbound", inbound.Table, nameRoutes(kept.Routes, scenarios))
	return kit.RenderPage(c, status, inbound.Page(p))
}

// readSettings reads the settings, and the scenarios that routes may have, by name.
func (s handlers) readSettings(c echo.Context) (routes.Settings, []scenario.Scenario, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	kept, err := s.Store.FindInbound(ctx, v.Org.ID)
	if err != nil {
		return kept, nil, err
	}
	all, err := s.ListScenariosFor(ctx, v)
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return cmp.Compare(a.Name, b.Name) })
	return kept, all, err
}

// nameRoutes adds the names of the scenarios; a deleted one has its id.
func nameRoutes(kept []routes.Route, scenarios []scenario.Scenario) []inbound.NamedRoute {
	all := make([]inbound.NamedRoute, len(kept))
	for i, r := range kept {
		all[i] = inbound.NamedRoute{Route: r, Scenario: kit.ScenarioName(scenarios, r.ScenarioID)}
	}
	return all
}

// exportRoutes exports the routes as CSV.
func (s handlers) exportRoutes(c echo.Context) error {
	kept, scenarios, err := s.readSettings(c)
	return kit.ExportRows(c, "inbound", inbound.Table, nameRoutes(kept.Routes, scenarios), err)
}

// addRoute adds a route.
func (s handlers) addRoute(c echo.Context) error {
	v := kit.RequestVisitor(c)
	_, scenarios, err := s.readSettings(c)
	if err != nil {
		return err
	}
	typed := routes.Route{}
	read := kit.BindSent(c)
	fields := inbound.BindRoute(read, &typed, kit.BookableScenarios(scenarios))
	typed.Number = cleanNumber(typed.Number, s.NumberRegion(c))
	if form.AnyFault(fields...) {
		return s.showPage(c, http.StatusUnprocessableEntity, shownForms{route: fields})
	}
	place := 0
	err = s.changeSettings(c, func(kept routes.Settings) routes.Settings {
		place = len(kept.Routes)
		kept.Routes = append(slices.Clone(kept.Routes), typed)
		return kept
	})
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		b := form.NewBinder(v.Lang, nil, routeViolations(broken.Violations, place))
		return s.showPage(c, http.StatusUnprocessableEntity, shownForms{
			route: inbound.BindRoute(b, &typed, kit.BookableScenarios(scenarios)),
		})
	}
	return kit.RedirectAfter(c, err, kit.Root+"/inbound", inbound.Added.In(v.Lang))
}

// cleanNumber returns a number as people write it in a country, or a prefix with its asterisk without what they type
// between digits.
func cleanNumber(typed, region string) string {
	prefix, wide := strings.CutSuffix(strings.TrimSpace(typed), "*")
	if !wide {
		number, _ := kit.LocalNumber(typed, region)
		return number
	}
	number, _ := kit.PhoneNumber(prefix)
	return number + "*"
}

// routeViolations returns violations with the paths of the form of one route: those of another route, or of all, are
// shown beside its number.
func routeViolations(found service.FieldViolations, place int) []form.Violation {
	all := kit.FormViolations(found)
	for i, one := range all {
		name := one.Path[strings.LastIndex(one.Path, ".")+1:]
		own := strings.HasPrefix(one.Path, "routes."+strconv.Itoa(place)+".")
		if !own || name != "scenario_id" && name != "lines" {
			name = "number"
		}
		all[i].Path = name
	}
	return all
}

// changeSettings changes the organization's settings by a function of the current ones.
func (s handlers) changeSettings(c echo.Context, change func(routes.Settings) routes.Settings) error {
	_, err := s.UseCases.ChangeInbound(c.Request().Context(), kit.RequestCaller(c), change)
	return err
}

// askRemoveRoute asks for confirmation before a route is removed.
func (s handlers) askRemoveRoute(c echo.Context) error {
	number := c.QueryParam("number")
	kept, _, err := s.readSettings(c)
	if err != nil {
		return err
	}
	if _, found := kept.FindRoute(number); !found {
		return echo.ErrNotFound
	}
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: inbound.RemoveAsk.In(l), Do: inbound.Remove.In(l), Danger: true,
		Back:   kit.Root + "/inbound",
		Text:   "\u2066" + number + "\u2069 · " + inbound.RemoveWhat.In(l),
		Action: kit.Root + "/inbound/routes/remove?number=" + url.QueryEscape(number),
	})
}

// removeRoute removes a route; one that is gone already is no fault.
func (s handlers) removeRoute(c echo.Context) error {
	number := c.QueryParam("number")
	err := s.changeSettings(c, func(kept routes.Settings) routes.Settings {
		kept.Routes = slices.DeleteFunc(slices.Clone(kept.Routes), func(r routes.Route) bool { return r.Number == number })
		return kept
	})
	return kit.RedirectAfter(c, err, kit.Root+"/inbound", inbound.Removed.In(kit.RequestVisitor(c).Lang))
}

// shownPart is what the form of the settings replaces: what is not a route.
func shownPart(kept routes.Settings) any {
	kept.Routes = nil
	return kept
}

// saveSettings replaces what is not a route, unless it was changed since it was shown.
func (s handlers) saveSettings(c echo.Context) error {
	v, shown := kit.RequestVisitor(c), kit.ReadShown(c, shownPart)
	kept, _, err := s.readSettings(c)
	if err != nil {
		return err
	}
	typed := kept
	fields := inbound.BindSettings(kit.BindSent(c), &typed)
	revision := form.ReplacedSetting{Revision: shown.Revision}
	if form.AnyFault(fields...) {
		return s.showPage(c, http.StatusUnprocessableEntity, shownForms{settings: fields, replaced: revision})
	}
	read := service.HashSetting(kept)
	_, err = s.UseCases.ReplaceInbound(c.Request().Context(), kit.RequestCaller(c), typed, nil,
		func(now routes.Settings) bool { return shown.IsUnchanged(now) && service.HashSetting(now) == read })
	if kit.IsStale(err) {
		fresh := form.NewBinder(v.Lang, nil, nil)
		before := inbound.BindSettings(fresh, &shown.Kept)
		return s.showPage(c, http.StatusConflict, shownForms{
			settings: fields, replaced: shown.ConflictOf(v.Lang, before, fields),
		})
	}
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		b := form.NewBinder(v.Lang, nil, kit.FormViolations(broken.Violations))
		return s.showPage(c, http.StatusUnprocessableEntity, shownForms{
			settings: inbound.BindSettings(b, &typed), replaced: revision,
		})
	}
	if err == nil {
		var warnings service.FieldViolations
		warnings, err = s.UseCases.CheckClosed(c.Request().Context(), v.Org.ID, typed.Closed)
		if len(warnings) > 0 {
			return kit.RedirectProblem(c, kit.Root+"/inbound", inbound.Saved.In(v.Lang)+" "+inbound.UnspokenClosed.In(v.Lang))
		}
	}
	return kit.RedirectAfter(c, err, kit.Root+"/inbound", inbound.Saved.In(v.Lang))
}

// simulateCaller lets a simulated person call in.
func (s handlers) simulateCaller(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := inbound.SimulatedCaller{}
	inbound.BindCaller(kit.BindSent(c), &typed)
	region := s.NumberRegion(c)
	typed.From, _ = kit.LocalNumber(typed.From, region)
	typed.To, _ = kit.LocalNumber(typed.To, region)
	refused, err := s.UseCases.SimulateCaller(c.Request().Context(), kit.RequestCaller(c), typed.From, typed.To, nil)
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		b := form.NewBinder(v.Lang, nil, kit.FormViolations(broken.Violations))
		return s.showPage(c, http.StatusUnprocessableEntity, shownForms{caller: inbound.BindCaller(b, &typed)})
	}
	if err == nil && refused != 0 {
		return kit.RedirectProblem(c, kit.Root+"/inbound", inbound.DescribeRefusal(v.Lang, refused))
	}
	return kit.RedirectAfter(c, err, kit.Root+"/inbound", inbound.Rings.In(v.Lang))
}

// showRefused shows the inbound calls that the appliance has refused.
func (s handlers) showRefused(c echo.Context) error {
	return kit.RenderPage(c, http.StatusOK, inbound.RefusedPage(inbound.RefusedView{
		ConsolePage: s.ConsoleFrame(c, inbound.RefusedTitle.In(kit.RequestVisitor(c).Lang)), Zone: s.OrganizationZone(c),
		Calls: s.RefusedCalls(),
	}))
}
