package console

import (
	"context"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

const rowsPerPage = 50

// dayForm is the layout of a date field.
const dayForm = time.DateOnly

// listCalls shows the list of calls, newest first.
func (s *ConsoleService) listCalls(c echo.Context) error {
	v, ctx := requestVisitor(c), c.Request().Context()
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	scenarios, err := s.UseCases.ListScenarios(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	filter, zone := callsFilter(c), zoneOf(rules)
	found, err := s.findCalls(ctx, v.Org.ID, filter, zone, c.QueryParam("cursor"), rowsPerPage)
	if err != nil {
		return err
	}
	w := locale.CallsIn(v.Lang)
	p := page.CallsView{
		ConsolePage: s.consoleFrame(
			c,
			layout.Calls,
			w.Title,
		),
		Filter:    filter,
		Zone:      zone,
		May:       v.User.Role.Allows(account.Operator),
		Scenarios: scenarioChoices(scenarios, filter.Scenario),
		Statuses:  statusChips(filter, w),
		CSV:       callsURL(page.CallsPath+".csv", filter, ""),
	}
	p.Styles, p.Module = append(p.Styles, "css/console-calls.css"), "js/console-calls.js"
	if found.Incomplete && p.Flash == nil {
		p.Flash = &layout.FlashMessage{Text: w.Incomplete, Bad: true}
	}
	for _, one := range found.Items {
		p.Rows = append(p.Rows, rowOf(one, scenarios))
	}
	if found.Next != "" {
		p.Older = callsURL(page.CallsPath, filter, found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.Newer = callsURL(page.CallsPath, filter, "")
	}
	return renderPage(c, 200, page.CallsPage(p))
}

// callsFilter parses the query. Invalid values are ignored.
func callsFilter(c echo.Context) page.CallsFilter {
	number, _ := phoneNumber(c.QueryParam("number")) // a part of a number is accepted too
	f := page.CallsFilter{
		Scenario: c.QueryParam("scenario"), Number: number,
		From: dayOf(c.QueryParam("from")), To: dayOf(c.QueryParam("to")),
	}
	if id := c.QueryParam("campaign"); campaign.ValidID(id) {
		f.Campaign = id
	}
	if slot, answer := c.QueryParam("slot"), c.QueryParam("answer"); slot != "" && answer != "" {
		f.Slot, f.Answer = slot, answer
	}
	for _, status := range call.AllStatuses() {
		if string(status) == c.QueryParam("status") {
			f.Status = string(status)
		}
	}
	return f
}

func dayOf(typed string) string {
	if _, err := time.Parse(dayForm, typed); err != nil {
		return ""
	}
	return typed
}

// callsURL returns the URL of a list.
func callsURL(path string, f page.CallsFilter, cursor string) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"status": f.Status, "scenario": f.Scenario, "campaign": f.Campaign, "slot": f.Slot, "answer": f.Answer,
		"number": f.Number, "from": f.From, "to": f.To, "cursor": cursor,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func statusChips(f page.CallsFilter, w locale.CallsWords) []page.ListChoice {
	chips := []page.ListChoice{{Name: w.All}}
	for _, status := range call.AllStatuses() {
		chips = append(chips, page.ListChoice{Value: string(status), Name: w.Statuses[string(status)]})
	}
	for i := range chips {
		chips[i].Chosen = chips[i].Value == f.Status
		g := f
		g.Status = chips[i].Value
		chips[i].URL = callsURL(page.CallsPath, g, "")
	}
	return chips
}

// findCalls returns one page of a list, with the cursor of the next. The number may be a part of one.
func (s *ConsoleService) findCalls(
	ctx context.Context, orgID string, f page.CallsFilter, zone *time.Location, cursor string, limit int,
) (store.ListPage[call.Call], error) {
	filter := store.CallFilter{
		ScenarioID: f.Scenario, CampaignID: f.Campaign, Limit: limit, Cursor: cursor,
		CreatedFrom: midnightOf(f.From, zone, 0), CreatedTo: midnightOf(f.To, zone, 1),
	}
	if f.Slot != "" {
		filter.AnswerSlot, filter.AnswerValue, filter.Sort = f.Slot, f.Answer, store.SortByDueTime
	}
	if f.Status != "" {
		filter.Statuses = []call.CallStatus{call.CallStatus(f.Status)}
	}
	if phoneForm.MatchString(f.Number) {
		filter.PhoneNumber = f.Number
	} else {
		filter.NumberContains = f.Number
	}
	return s.Store.CallsPage(ctx, orgID, filter)
}

// midnightOf returns the beginning of a day, or of one some days later; the zero time for an invalid day.
func midnightOf(day string, zone *time.Location, later int) time.Time {
	t, err := time.ParseInLocation(dayForm, day, zone)
	if err != nil {
		return time.Time{}
	}
	return t.AddDate(0, 0, later)
}

// shownReason returns why a call ended as it did, for people: its failure, or that staff hung up on it.
func shownReason(c call.Call) string {
	if c.Failure == nil && c.Status == call.Completed && c.EndedBy == call.ByOperator {
		return string(call.Operator)
	}
	return string(call.ReasonOf(c.Failure))
}

// rowOf returns a call for lists.
func rowOf(c call.Call, scenarios []scenario.Scenario) page.CallRow {
	at := c.ScheduledAt
	if c.StartedAt != nil {
		at = *c.StartedAt
	}
	return page.CallRow{
		ID: c.ID, Number: c.PhoneNumber, Scenario: scenarioName(scenarios, c.ScenarioID), Status: string(c.Status),
		Reason: shownReason(c), At: at, Duration: c.Duration,
		Attempt: max(c.Attempt.Number, 1), Max: max(c.Attempt.Max, 1), Cancellable: c.Status == call.Scheduled,
	}
}
