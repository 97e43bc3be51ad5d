package console

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// showQueue shows the calls that need a person, oldest first.
func (s *ConsoleService) showQueue(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	scenarios, err := s.UseCases.ListScenarios(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	filter := needsFilter()
	filter.Limit, filter.Cursor = rowsPerPage, c.QueryParam("cursor")
	found, err := s.Store.CallsPage(ctx, v.Org.ID, filter)
	if err != nil {
		return err
	}
	p := page.QueueView{
		ConsolePage: s.consoleFrame(c, layout.Queue, locale.ConsoleIn(v.Lang).Queue), Zone: zoneOf(rules),
		May: v.User.Role.Allows(account.Operator),
	}
	p.Styles = append(p.Styles, "css/console-call.css")
	if found.Next != "" {
		p.Next = page.QueuePath + "?cursor=" + url.QueryEscape(found.Next)
	}
	if filter.Cursor != "" {
		p.First = page.QueuePath
	}
	names, labels := s.newActorNamer(ctx, v.Lang), scenarioLabels{scenarios, v.Lang}
	for _, one := range found.Items {
		p.Rows = append(p.Rows, queueRow(one, labels, v, names))
	}
	return renderPage(c, http.StatusOK, page.QueuePage(p))
}

// needsFilter lists the calls that need a person, oldest first.
func needsFilter() store.CallFilter {
	return store.CallFilter{NeedsPerson: true, Sort: store.SortByDueTime, Ascending: true}
}

// queueRow returns a call of the queue.
func queueRow(c call.Call, labels scenarioLabels, v visitor, names actorNamer) page.QueueRow {
	row := page.QueueRow{CallRow: rowOf(c, labels)}
	if need := needOf(c.Need, v, names); need != nil {
		row.Need = *need
	}
	if n := len(c.Notes); n > 0 {
		row.Note = c.Notes[n-1].Text
	}
	return row
}

// countNeeds counts the calls that need a person, up to [layout.MostWaiting].
func (s *ConsoleService) countNeeds(ctx context.Context, orgID string) int {
	n, err := s.Store.CountCalls(ctx, orgID, needsFilter(), layout.MostWaiting)
	if err != nil {
		return 0 // unreadable: the page itself says so
	}
	return n
}
