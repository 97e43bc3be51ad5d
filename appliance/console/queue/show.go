package queue

import (
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/queue"
)

// The parts of the queue by assignee.
const (
	mine    = "mine"
	untaken = "free" // not taken
)

// showQueue shows the calls that need staff, longest wait first: all, the user's own, or those that are not taken.
func (s handlers) showQueue(c echo.Context) error {
	v, whose, q := kit.RequestVisitor(c), c.QueryParam("whose"), c.QueryParam("q")
	found, err := s.readQueue(c, kit.RowsPerPage, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	p := queue.View{
		ConsolePage: s.ConsoleFrame(c, locale.ConsoleQueue.In(v.Lang)), Zone: s.OrganizationZone(c), Rows: found.Items,
	}
	if p.Choices, err = s.queueChoices(c, whose); err != nil {
		return err
	}
	p.Module = "js/console-queue.js"
	p.TableList = component.TableList{
		Action: calls.QueuePath, Filter: q, Shown: len(p.Rows),
		CSV: kit.BuildURL(calls.QueuePath+".csv", "whose", whose, "q", q),
	}
	if c.QueryParam("cursor") != "" {
		p.First = queueAddress(whose, q, "")
	}
	if found.Next != "" {
		p.Next = queueAddress(whose, q, found.Next)
	}
	return kit.RenderPage(c, http.StatusOK, queue.Page(p))
}

// exportQueue sends the part of the queue that matches the query as CSV.
func (s handlers) exportQueue(c echo.Context) error {
	read := func(cursor string) (store.ListPage[queue.Row], error) {
		return s.readQueue(c, kit.MaxStorePage, cursor)
	}
	return kit.SendPagedCSV(c, "queue.csv", queue.Table.ExportKeys(), read, queue.Table.ExportRow)
}

// readQueue returns a page of the part of the queue that the query selects and its search finds, with what people read
// of the calls.
func (s handlers) readQueue(c echo.Context, limit int, cursor string) (page store.ListPage[queue.Row], err error) {
	ctx, v, q := c.Request().Context(), kit.RequestVisitor(c), c.QueryParam("q")
	if !slices.Contains([]string{"", mine, untaken}, c.QueryParam("whose")) {
		return page, echo.ErrNotFound
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return page, err
	}
	filter := queueFilter(c.QueryParam("whose"), v)
	filter.Limit, filter.Cursor = limit, cursor
	found, err := s.Store.SearchCalls(ctx, v.Org.ID, filter, q, func(one call.Call) (found, more bool) {
		if !one.Need.IsOpen() { // an entry that damage left over
			return false, true
		}
		row := []queue.Row{queueRow(one, scenarios, v)}
		return len(queue.Table.SearchRows(row, q, kit.ContainsFold)) > 0, true
	})
	names := s.NewActorNamer(ctx, v.Lang)
	for _, one := range found.Items {
		row := queueRow(one, scenarios, v)
		if one.Need.Reason == call.NeedStaff {
			row.Reason = locale.FillSentence(calls.AfterNeedWhy.In(v.Lang), "who", names(one.Need.By))
		}
		if one.Need.TakenBy != "" {
			row.Taker = names(one.Need.TakenBy)
		}
		page.Items = append(page.Items, row)
	}
	page.Next = found.Next
	return page, err
}

// queueFilter returns the store's filter of a part of the queue.
func queueFilter(whose string, v kit.Visitor) store.CallFilter {
	filter := kit.NeedsFilter()
	switch whose {
	case mine:
		filter.TakenBy = v.AuditActor()
	case untaken:
		filter.TakenBy = store.TakenByNobody
	}
	return filter
}

// queueRow returns a call for the queue, without the names of staff.
func queueRow(c call.Call, scenarios []scenario.Scenario, v kit.Visitor) queue.Row {
	plan, _ := kit.FindScenario(scenarios, c.ScenarioID)
	return queue.Row{
		Call: c, Name: plan.PersonName(c.Variables), Scenario: kit.CallScenarioName(scenarios, c.ScenarioID, v.Lang),
		Reason: calls.AfterReasons.Word(v.Lang, string(c.Need.Reason)), Mine: c.Need.TakenBy == v.AuditActor(),
		May: v.User.Role.Allows(account.Operator) && c.ErasedAt == nil, Rings: kit.RingsVisitor(v),
	}
}

// queueChoices returns the parts of the queue with their counts.
func (s handlers) queueChoices(c echo.Context, chosen string) (choices []queue.Choice, err error) {
	v := kit.RequestVisitor(c)
	for _, choice := range []struct {
		whose string
		name  locale.Text
	}{{"", queue.All}, {mine, queue.Mine}, {untaken, queue.Free}} {
		n, err := s.Store.CountCalls(c.Request().Context(), v.Org.ID, queueFilter(choice.whose, v), math.MaxInt32)
		if err != nil {
			return nil, err
		}
		choices = append(choices, queue.Choice{
			Name: choice.name.In(v.Lang), Count: strconv.Itoa(n),
			Path: queueAddress(choice.whose, "", ""), Chosen: choice.whose == chosen,
		})
	}
	return choices, nil
}

func queueAddress(whose, q, cursor string) string {
	return kit.BuildURL(calls.QueuePath, "whose", whose, "q", q, "cursor", cursor)
}
