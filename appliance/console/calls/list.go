package calls

import (
	"context"
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

// listCalls shows the list of calls by due time, running calls first.
func (s handlers) listCalls(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	filter, zone, labels := kit.CallsFilter(c), k.Zone, k.Labels()
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
		Scenarios: kit.ScenarioChoices(k.Scenarios, filter.Scenario),
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
	p.CSV, p.XLSX = kit.CallsURL(calls.CallsPath+".csv", filter, ""), kit.CallsURL(calls.CallsPath+".xlsx", filter, "")
	p.Campaign = newCampaignURL(filter)
	turned := filter
	turned.Order = map[bool]string{true: "desc", false: "asc"}[kit.IsAscending(filter)]
	p.Sort = list.Sort{URL: kit.CallsURL(calls.CallsPath, turned, ""), Ascending: kit.IsAscending(filter), Title: calls.Turn}
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
func (s handlers) findCalls(
	ctx context.Context, orgID string, f calls.CallsFilter, zone *time.Location, cursor string, limit int,
) (found service.SearchedCalls, err error) {
	filter := kit.StoreFilter(f, zone)
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
func (s handlers) findRunningFirst(
	ctx context.Context, orgID string, filter store.CallFilter,
) (store.ListPage[call.Call], error) {
	var running []call.Call
	if filter.Cursor == "" {
		first := filter
		first.Statuses, first.Limit = kit.RunningStatuses(), kit.MaxStorePage
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
