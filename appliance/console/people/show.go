package people

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/people"
)

// callsPerPage is how many calls of a conversation are on a page.
const callsPerPage = 20

// showPerson shows a person: one conversation through the calls to a number, the latest answers, and the suppression.
// 404 for a number that was never booked and is not suppressed.
func (s handlers) showPerson(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	number, err := s.requestPerson(c)
	if err != nil {
		return err
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	found, err := s.findConversation(ctx, v.Org.ID, number, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	suppressed, err := s.FindActiveSuppression(ctx, v.Org.ID, number)
	if err != nil {
		return err
	}
	if len(found.Items) == 0 && suppressed == nil {
		return kit.NewNotFoundError("no such person")
	}
	p := s.personView(c, number, found, kit.ScenarioLabels{Scenarios: scenarios, Lang: v.Lang})
	p.Name, p.Suppressed = personName(found.Items, scenarios), suppressed
	forbidden := people.NewSuppression{From: "person", Number: number}
	p.Suppress = people.BindSuppression(form.NewBinder(v.Lang, nil, nil), &forbidden)
	return kit.RenderPage(c, http.StatusOK, people.PersonPage(p))
}

// findConversation returns a page of a person's calls with their messages, newest first.
func (s handlers) findConversation(
	ctx context.Context, orgID, number, cursor string,
) (store.ListPage[call.Call], error) {
	filter := store.CallFilter{PhoneNumber: number, Sort: store.SortByDueTime, Limit: callsPerPage, Cursor: cursor}
	return s.Store.SearchCalls(ctx, orgID, filter, "", func(call.Call) (bool, bool) { return true, true })
}

// requestPerson returns the number of a person's page; 404 for text that is no number.
func (s handlers) requestPerson(c echo.Context) (string, error) {
	typed, err := httpserver.DecodePathParam(c, "number")
	if err != nil {
		return "", kit.NewNotFoundError("no such person")
	}
	number, ok := kit.LocalNumber(typed, s.NumberRegion(c))
	if !ok {
		return "", kit.NewNotFoundError("no such person")
	}
	return number, nil
}

// personView returns the view of a person's calls: one page of them, its neighbours and the latest answers.
func (s handlers) personView(
	c echo.Context, number string, found store.ListPage[call.Call], labels kit.ScenarioLabels,
) people.PersonView {
	v := kit.RequestVisitor(c)
	p := people.PersonView{
		Number: number, Zone: s.OrganizationZone(c), May: v.User.Role.Allows(account.Operator),
		Rings:   kit.RingsVisitor(v),
		Answers: latestAnswers(labels, found.Items),
	}
	for _, one := range found.Items {
		row := kit.CallRow(one, labels)
		p.Calls = append(p.Calls, people.ConversationCall{
			Call: one, Scenario: row.Scenario, Shown: row.Status, Reason: row.Reason,
		})
	}
	if found.Next != "" {
		p.Older = calls.PersonPath(number) + "?cursor=" + url.QueryEscape(found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.Newer = calls.PersonPath(number)
	}
	p.ConsolePage = s.ConsoleFrame(c, people.Title.In(v.Lang))
	p.Section = "calls"
	p.Styles = append(p.Styles, "css/console-call.css", "css/console-player.css", "css/console-person.css")
	p.Module = "js/console-players.js"
	return p
}

// personName returns the person's name: the newest value of a variable with the role name; empty without one.
func personName(all []call.Call, scenarios []scenario.Scenario) string {
	for _, one := range all {
		plan, _ := kit.FindScenario(scenarios, one.ScenarioID)
		if name := plan.PersonName(one.Variables); name != "" {
			return name
		}
	}
	return ""
}

// latestAnswers returns the newest known value of each slot; all are newest first.
func latestAnswers(l kit.ScenarioLabels, all []call.Call) []people.PersonAnswer {
	var answers []people.PersonAnswer
	seen := map[string]bool{}
	for _, one := range all {
		for _, slot := range l.ReportSlots(one) {
			if !slot.Known || seen[slot.Label] {
				continue
			}
			seen[slot.Label] = true
			answers = append(answers, people.PersonAnswer{ReportSlot: slot, CallID: one.ID, At: one.ScheduledAt})
		}
	}
	return answers
}

// exportPerson sends all that is stored of a person as a ZIP archive, while it is read.
func (s handlers) exportPerson(c echo.Context) error {
	number, err := s.requestPerson(c)
	if err != nil {
		return err
	}
	begin := func() {
		h := c.Response().Header()
		h.Set(echo.HeaderContentType, "application/zip")
		h.Set(echo.HeaderContentDisposition, `attachment; filename="person-`+strings.TrimPrefix(number, "+")+`.zip"`)
		h.Set(echo.HeaderCacheControl, "no-store")
		c.Response().WriteHeader(http.StatusOK)
	}
	err = s.UseCases.ExportPerson(c.Request().Context(), kit.RequestCaller(c), number, begin, c.Response())
	if store.CodeOf(err) == store.CodeNotFound {
		return kit.NewNotFoundError("no such person")
	}
	return err
}
