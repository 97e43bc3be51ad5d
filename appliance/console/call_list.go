package console

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/phonenumber"
	"munadi/ui/asset"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
)

// listCalls shows the list of calls by due time, running calls first.
func (s *ConsoleService) listCalls(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := s.newBookingContext(c)
	if err != nil {
		return err
	}
	filter, zone, labels := callsFilter(c), k.zone, k.scenarioLabels()
	found, err := s.findCalls(ctx, v.Org.ID, filter, zone, c.QueryParam("cursor"), kit.RowsPerPage)
	if err != nil {
		return err
	}
	counts, err := s.countByFilter(ctx, v.Org.ID, filter, zone)
	if err != nil {
		return err
	}
	p := calls.CallsView{
		ConsolePage: s.ConsoleFrame(c, calls.Title.In(v.Lang)),
		Filter:      filter, Zone: zone, May: v.User.Role.Allows(account.Operator),
		Scenarios: kit.ScenarioChoices(k.scenarios, filter.Scenario),
		Statuses:  statusChips(filter, counts, v.Lang), Answers: answerChips(filter, counts, labels),
	}
	p.Module = asset.CallsModule
	addFilterLinks(&p, filter, v.User.Views)
	addFoundCalls(&p, found, labels, c.QueryParam("cursor") != "")
	return kit.RenderPage(c, 200, calls.CallsPage(p))
}

// addFilterLinks adds the links to what can be done with all calls of a filter: export, campaign, other order, saved
// views, bulk changes.
func addFilterLinks(p *calls.CallsView, filter calls.CallsFilter, views []account.SavedView) {
	p.CSV, p.Campaign = kit.CallsURL(calls.CallsPath+".csv", filter, ""), newCampaignURL(filter)
	p.Turn, p.Ascending = kit.CallsURL(calls.CallsPath, reversedFilter(filter), ""), isAscending(filter)
	p.Views, p.Query = viewLinks(views, filter), kit.CallsQuery(filter, "").Encode()
	p.Bulk = kit.CallsURL(calls.CallsPath+"/bulk", filter, "")
}

// addFoundCalls adds the rows and the links to the next page and, from a later page, to the first.
func addFoundCalls(p *calls.CallsView, found service.SearchedCalls, labels kit.ScenarioLabels, later bool) {
	p.Examined, p.Until = found.Examined, found.Last.ScheduledAt
	for _, one := range found.Items {
		p.Rows = append(p.Rows, searchRow(one, labels, p.Filter.Said))
	}
	if found.Next != "" {
		p.Older = kit.CallsURL(calls.CallsPath, p.Filter, found.Next)
	}
	if later {
		p.Newer = kit.CallsURL(calls.CallsPath, p.Filter, "")
	}
}

// newCampaignURL is the URL of a new campaign; of the people of the list if it is filtered.
func newCampaignURL(f calls.CallsFilter) string {
	path := campaigns.CampaignsPath + "/new"
	if !f.IsActive() || f.Said != "" {
		return path
	}
	return strings.Replace(kit.CallsURL(path, f, ""), "?", "?from=calls&", 1)
}

// findCalls returns one page of a list and the next cursor. The first page begins with all matching running calls,
// whatever their due time; they do not count towards limit.
func (s *ConsoleService) findCalls(
	ctx context.Context, orgID string, f calls.CallsFilter, zone *time.Location, cursor string, limit int,
) (found service.SearchedCalls, err error) {
	filter := storeFilter(f, zone)
	filter.Limit, filter.Cursor = limit, cursor
	switch {
	case f.Said != "":
		return s.UseCases.SearchCalls(ctx, orgID, filter, f.Said)
	case len(filter.Statuses) > 0 || filter.EndedBy != "":
		found.ListPage, err = s.Store.CallsPage(ctx, orgID, filter)
	default:
		found.ListPage, err = s.findRunningFirst(ctx, orgID, filter)
	}
	return found, err
}

// findRunningFirst returns one page of a list of all statuses; the first page begins with the running calls.
func (s *ConsoleService) findRunningFirst(
	ctx context.Context, orgID string, filter store.CallFilter,
) (store.ListPage[call.Call], error) {
	var running []call.Call
	if filter.Cursor == "" {
		first := filter
		first.Statuses, first.Limit = runningStatuses(), kit.MaxStorePage
		found, err := s.Store.CallsPage(ctx, orgID, first)
		if err != nil {
			return found, err
		}
		running = found.Items
	}
	filter.Statuses = slices.DeleteFunc(call.AllStatuses(), call.CallStatus.IsRunning)
	rest, err := s.Store.CallsPage(ctx, orgID, filter)
	rest.Items = append(running, rest.Items...)
	return rest, err
}

// runningStatuses are the statuses of calls that occupy a line.
func runningStatuses() []call.CallStatus { return []call.CallStatus{call.Dialing, call.InProgress} }

// storeFilter converts a list's filter to the store's. Calls that staff ended form their own group and are neither
// completed nor failed.
func storeFilter(f calls.CallsFilter, zone *time.Location) store.CallFilter {
	filter := store.CallFilter{
		ScenarioID: f.Scenario, CampaignID: f.Campaign, Sort: store.SortByDueTime, Ascending: isAscending(f),
		DueFrom: kit.DayStart(f.From, zone, 0), DueTo: kit.DayStart(f.To, zone, 1),
	}
	filter.AnswerSlot, filter.AnswerValue = f.Slot, f.Answer
	filter.Direction = call.CallDirection(f.Direction)
	switch f.Status {
	case "":
	case calls.RunningCalls:
		filter.Statuses = runningStatuses()
	case calls.StoppedCalls:
		filter.EndedBy, filter.Statuses = call.ByOperator, []call.CallStatus{call.Completed, call.Failed}
	default:
		status := call.CallStatus(f.Status)
		filter.Statuses = []call.CallStatus{status}
		if status == call.Completed || status == call.Failed {
			filter.NotEndedBy = call.ByOperator
		}
	}
	if phonenumber.IsE164(f.Number) {
		filter.PhoneNumber = f.Number
	} else {
		filter.NumberEnds = strings.TrimLeft(f.Number, "0")
	}
	return filter
}

// isAscending reports whether a list begins with the earliest call: by default the list of scheduled calls.
func isAscending(f calls.CallsFilter) bool {
	if f.Order == "" {
		return f.Status == string(call.Scheduled)
	}
	return f.Order == "asc"
}

// reversedFilter returns the filter with the other order.
func reversedFilter(f calls.CallsFilter) calls.CallsFilter {
	if isAscending(f) {
		f.Order = "desc"
	} else {
		f.Order = "asc"
	}
	return f
}

// displayReason returns why a call failed; empty if staff ended it, which the status says.
func displayReason(c call.Call) string {
	if kit.DisplayStatus(c) == calls.StoppedCalls {
		return ""
	}
	return string(call.ReasonOf(c.Failure))
}

// searchRow returns a call for the list, with the turn that contains the search words; without words it is [callRow].
func searchRow(c call.Call, labels kit.ScenarioLabels, words string) calls.CallRow {
	row := callRow(c, labels)
	if words == "" {
		return row
	}
	turn, by, _ := service.FindTurn(c, words)
	for _, word := range turn {
		row.Said = append(row.Said, calls.FoundWord(word))
	}
	row.SaidByPlatform = by == call.Assistant
	return row
}

// callRow returns a call for lists.
func callRow(c call.Call, labels kit.ScenarioLabels) calls.CallRow {
	plan, _ := kit.FindScenario(labels.Scenarios, c.ScenarioID)
	row := calls.CallRow{
		ID: c.ID, Number: c.PhoneNumber, Name: plan.PersonName(c.Variables), Scenario: kit.ScenarioName(
			labels.Scenarios, c.ScenarioID,
		), Status: kit.DisplayStatus(c),
		Reason: displayReason(c), At: c.ScheduledAt, Duration: c.Duration, Answers: labels.RowAnswers(c),
		Attempt: max(c.Attempt.Number, 1), Max: max(c.Attempt.Max, 1), Cancellable: c.Status == call.Scheduled,
		NeedsPerson: c.Need.IsOpen(), Inbound: c.Way() == call.Inbound,
		Withheld: c.Way() == call.Inbound && c.PhoneNumber == "" && c.ErasedAt == nil,
	}
	if c.ReleasedAt != nil && c.ReleasedAt.Sub(c.ScheduledAt) >= time.Minute {
		row.Dialled = c.ReleasedAt
	}
	return row
}
