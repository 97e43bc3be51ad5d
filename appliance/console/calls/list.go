package calls

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/ui/asset"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/list"
)

// listCalls shows the list of calls, usually in the order of [handlers.findUsual].
func (s handlers) listCalls(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	filter, zone, labels := kit.CallsFilter(c), k.Zone, k.Labels()
	if faults := kit.FindFilterFaults(c); len(faults) > 0 {
		return kit.RenderPage(c, http.StatusUnprocessableEntity, calls.CallsPage(calls.CallsView{
			ConsolePage: s.ConsoleFrame(c, calls.Title.In(v.Lang)), Filter: filter, Zone: zone, Faults: faults,
			May: v.User.Role.Allows(account.Operator), Campaign: campaigns.CampaignsPath + "/new",
			Scenarios: kit.ScenarioChoices(k.Scenarios, filter.Scenario),
			Statuses:  statusChips(filter, kit.FilterCounts{}, v.Lang),
		}))
	}
	counts, err := s.countByFilter(ctx, v.Org.ID, filter, zone)
	if err != nil {
		return err
	}
	filter.Answer = answerTyped(filter, counts, labels)
	found, err := s.findCalls(ctx, v.Org.ID, filter, zone, c.QueryParam("cursor"), kit.RowsPerPage)
	if err != nil {
		return err
	}
	p := calls.CallsView{
		ConsolePage: s.ConsoleFrame(c, calls.Title.In(v.Lang)),
		Filter:      filter, Zone: zone, May: v.User.Role.Allows(account.Operator),
		Scenarios: kit.ScenarioChoices(k.Scenarios, filter.Scenario),
		Statuses:  statusChips(filter, counts, v.Lang), Answers: answerChips(filter, counts, labels),
	}
	p.Module = asset.CallsModule
	address := func(path string) string { return kit.CallsURL(calls.CallsPath+path, filter, "") }
	p.CSV, p.XLSX, p.Bulk, p.Campaign = address(".csv"), address(".xlsx"), address("/bulk"), newCampaignURL(filter)
	p.Sort, p.Views, p.Query = timeOrder(filter), viewLinks(v.User.Views, filter), kit.CallsQuery(filter, "").Encode()
	p.Examined, p.Until = found.Examined, found.Last.ScheduledAt
	if isUsualOrder(filter) && filter.Slot == "" { // the counts do not regard answers
		p.Planned = counts.Groups[string(call.Scheduled)]
		p.PlannedOnly = plannedURL(filter)
	}
	for _, one := range found.Items {
		p.Rows = append(p.Rows, searchRow(one, labels, filter.Said))
	}
	if found.Next != "" {
		p.Older = kit.CallsURL(calls.CallsPath, filter, found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.Newer = address("")
	}
	return kit.RenderPage(c, 200, calls.CallsPage(p))
}

// timeOrder returns the order of a list, and the address of the other one: of all statuses from the earliest call back
// to the usual order.
func timeOrder(f calls.CallsFilter) list.Sort {
	sort := list.Sort{Ascending: kit.IsAscending(f), Title: calls.Turn}
	f.Order = map[bool]string{true: "desc", false: "asc"}[sort.Ascending]
	if sort.Ascending && f.Status == "" {
		f.Order = ""
	}
	sort.URL = kit.CallsURL(calls.CallsPath, f, "")
	return sort
}

// plannedURL is the URL of the scheduled calls of a list alone, the next one first.
func plannedURL(f calls.CallsFilter) string {
	f.Status = string(call.Scheduled)
	return kit.CallsURL(calls.CallsPath, f, "")
}

// newCampaignURL is the URL of a new campaign; of the people of the list if it is filtered.
func newCampaignURL(f calls.CallsFilter) string {
	path := campaigns.CampaignsPath + "/new"
	if !f.IsActive() || f.Said != "" {
		return path
	}
	return strings.Replace(kit.CallsURL(path, f, ""), "?", "?people=calls&", 1)
}

// findCalls returns one page of a list and the next cursor.
func (s handlers) findCalls(
	ctx context.Context, orgID string, f calls.CallsFilter, zone *time.Location, cursor string, limit int,
) (found service.SearchedCalls, err error) {
	filter := pageFilter(f, zone, cursor, limit)
	switch {
	case f.Said != "":
		return s.UseCases.SearchCalls(ctx, orgID, filter, f.Said)
	case len(filter.Statuses) > 0:
		found.ListPage, err = s.Store.CallsPage(ctx, orgID, filter)
	case isUsualOrder(f):
		found.ListPage, err = s.findUsual(ctx, orgID, filter)
	default:
		found.ListPage, err = s.findRunningFirst(ctx, orgID, filter)
	}
	return found, err
}

// findForFile returns one page of a file of a list, in which every call is once.
func (s handlers) findForFile(
	ctx context.Context, orgID string, f calls.CallsFilter, zone *time.Location, cursor string,
) (found service.SearchedCalls, err error) {
	if f.Status != "" || f.Said != "" {
		return s.findCalls(ctx, orgID, f, zone, cursor, kit.MaxStorePage)
	}
	filter := pageFilter(f, zone, cursor, kit.MaxStorePage)
	if isUsualOrder(f) {
		found.ListPage, err = s.findParts(ctx, orgID, filter, fileParts)
	} else {
		found.ListPage, err = s.Store.CallsPage(ctx, orgID, filter)
	}
	return found, err
}

// pageFilter returns the store's filter of one page of a list.
func pageFilter(f calls.CallsFilter, zone *time.Location, cursor string, limit int) store.CallFilter {
	filter := kit.StoreFilter(f, zone)
	filter.Limit, filter.Cursor = limit, cursor
	if f.Name != "" {
		filter.MaxExamined = kit.MaxExaminedByName
	}
	return filter
}

// findRunningFirst returns one page of a list of all statuses by due time; the first one begins with the running calls.
func (s handlers) findRunningFirst(
	ctx context.Context, orgID string, filter store.CallFilter,
) (store.ListPage[call.Call], error) {
	running, err := s.findRunning(ctx, orgID, filter)
	if err != nil {
		return store.ListPage[call.Call]{}, err
	}
	filter.Statuses = slices.DeleteFunc(call.AllStatuses(), call.CallStatus.IsRunning)
	rest, err := s.Store.CallsPage(ctx, orgID, filter)
	rest.Items = append(running, rest.Items...)
	return rest, err
}

// findRunning returns all running calls of a filter, whatever their due time, for its first page; none for later ones.
// They do not count towards its limit.
func (s handlers) findRunning(
	ctx context.Context, orgID string, filter store.CallFilter,
) (running []call.Call, err error) {
	if filter.Cursor != "" {
		return nil, nil
	}
	filter.Statuses, filter.Limit = kit.RunningStatuses(), kit.MaxStorePage
	for more := true; more && err == nil; more = filter.Cursor != "" {
		var found store.ListPage[call.Call]
		found, err = s.Store.CallsPage(ctx, orgID, filter)
		running, filter.Cursor = append(running, found.Items...), found.Next
	}
	return running, err
}

// searchRow returns a call for the list, with the turn that contains the search words; without words it is [CallRow].
func searchRow(c call.Call, labels kit.ScenarioLabels, words string) calls.CallRow {
	row := kit.CallRow(c, labels)
	if words == "" {
		return row
	}
	turn, by, _ := service.FindTurn(c, words)
	for _, word := range turn {
		row.Found = append(row.Found, calls.FoundWord(word))
	}
	row.ByPlatform = by == call.Assistant
	return row
}

// exportCalls exports the whole filtered list as CSV, whatever its length: it is read page by page while it is sent.
func (s handlers) exportCalls(c echo.Context) error { return s.sendCalls(c, kit.SendTableCSV) }

// exportWorkbook exports the whole filtered list as an Excel workbook.
func (s handlers) exportWorkbook(c echo.Context) error { return s.sendCalls(c, kit.SendTableWorkbook) }

// sendCalls sends the filtered list as a file: the columns of the page, those of the API, and one for each answer.
func (s handlers) sendCalls(c echo.Context, send func(echo.Context, kit.TableFile[calls.CallRow]) error) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	if len(kit.FindFilterFaults(c)) > 0 {
		return kit.RedirectToFaults(c, calls.CallsPath)
	}
	filter, labels := kit.CallsFilter(c), k.Labels()
	table := calls.DeclareTable(v.Lang, list.Sort{}, answerColumns(labels, filter.Scenario)...)
	var header []string
	for _, key := range table.ExportKeys() {
		header = append(header, labels.ColumnLabel(filter.Scenario, key))
	}
	return send(c, kit.TableFile[calls.CallRow]{
		Name: "calls-" + s.Now().In(k.Zone).Format(kit.DayLayout), Title: calls.Title.In(v.Lang),
		Table: table, Header: header, Zone: k.Zone,
		Read: func(cursor string) (store.ListPage[calls.CallRow], error) {
			found, err := s.findForFile(ctx, v.Org.ID, filter, k.Zone, cursor)
			page := store.ListPage[calls.CallRow]{Next: found.Next}
			for _, one := range found.Items {
				page.Items = append(page.Items, kit.CallRow(one, labels))
			}
			return page, err
		},
	})
}

// answerColumns returns the columns of the answers to the questions of a scenario; of all for an empty id.
func answerColumns(labels kit.ScenarioLabels, scenarioID string) (columns []list.Column[calls.CallRow]) {
	var seen []string
	for _, plan := range labels.Scenarios {
		for _, property := range plan.ReportProperties() {
			if (scenarioID == "" || plan.ID == scenarioID) && !slices.Contains(seen, property) {
				seen = append(seen, property)
				columns = append(columns, calls.AnswerColumn(service.AnswerColumn+property, property))
			}
		}
	}
	return columns
}
