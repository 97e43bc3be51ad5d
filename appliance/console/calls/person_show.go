package calls

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	uicalls "munadi/ui/calls"
	"munadi/ui/people"
	"munadi/ui/suppressions"
)

// showPerson shows a person: the calls to a number, the latest answers, and the suppression. 404 for a number that was
// never booked and is not suppressed.
func (s handlers) showPerson(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	number, err := requestPerson(c)
	if err != nil {
		return err
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	labels := kit.ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}
	found, err := s.Store.CallsPage(ctx, v.Org.ID, store.CallFilter{
		PhoneNumber: number, Sort: store.SortByDueTime, Limit: kit.RowsPerPage, Cursor: c.QueryParam("cursor"),
	})
	if err != nil {
		return err
	}
	suppressed, err := s.findActiveSuppression(ctx, v.Org.ID, number)
	if err != nil {
		return err
	}
	if len(found.Items) == 0 && suppressed == nil {
		return kit.NewNotFoundError("no such person")
	}
	p := s.personView(c, number, found, labels)
	p.Name, p.Suppressed = personName(found.Items, scenarios), suppressed
	return kit.RenderPage(c, http.StatusOK, people.PersonPage(p))
}

// requestPerson returns the number of a person's page; 404 for text that is no number.
func requestPerson(c echo.Context) (string, error) {
	typed, err := httpserver.DecodePathParam(c, "number")
	if err != nil {
		return "", kit.NewNotFoundError("no such person")
	}
	number, ok := kit.PhoneNumber(typed)
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
		Answers: latestAnswers(labels, found.Items),
	}
	for _, one := range found.Items {
		p.Rows = append(p.Rows, kit.CallRow(one, labels))
	}
	if found.Next != "" {
		p.Older = uicalls.PersonPath(number) + "?cursor=" + url.QueryEscape(found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.Newer = uicalls.PersonPath(number)
	}
	p.ConsolePage = s.ConsoleFrame(c, people.Title.In(v.Lang))
	p.Styles = append(p.Styles, "css/console-call.css")
	return p
}

// findActiveSuppression returns the active suppression of a number; nil without one.
func (s handlers) findActiveSuppression(ctx context.Context, orgID, number string) (
	*suppressions.SuppressedRow, error,
) {
	entry, err := s.Store.FindSuppression(ctx, orgID, number, s.Now())
	if err != nil || entry == nil {
		return nil, err
	}
	return &suppressions.SuppressedRow{
		Number: entry.PhoneNumber, Reason: entry.Reason, Source: entry.Source, Added: entry.CreatedAt, Until: entry.Until,
	}, nil
}

// personName returns the person's name: the newest value of a variable with the role name; empty without one.
func personName(calls []call.Call, scenarios []scenario.Scenario) string {
	for _, one := range calls {
		plan, _ := kit.FindScenario(scenarios, one.ScenarioID)
		if name := plan.PersonName(one.Variables); name != "" {
			return name
		}
	}
	return ""
}

// latestAnswers returns the newest known value of each slot; calls are newest first.
func latestAnswers(l kit.ScenarioLabels, calls []call.Call) []people.PersonAnswer {
	var answers []people.PersonAnswer
	seen := map[string]bool{}
	for _, one := range calls {
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
