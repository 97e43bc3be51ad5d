package queue

import (
	"context"
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
	v, whose := kit.RequestVisitor(c), c.QueryParam("whose")
	q := c.QueryParam("q")
	all, err := s.queuedRows(c, q != "")
	if err != nil {
		return err
	}
	p := queue.View{
		ConsolePage: s.ConsoleFrame(c, locale.ConsoleQueue.In(v.Lang)), Zone: s.OrganizationZone(c), Whose: whose,
		Choices: queueChoices(all, whose, v.Lang),
	}
	p.Module = "js/console-queue.js"
	found := queue.Table.SearchRows(partOf(all, whose), q, kit.ContainsFold)
	from := min(max(0, kit.ParseNumber(c.QueryParam("from"))), len(found))
	to := min(from+kit.RowsPerPage, len(found))
	if p.Rows = found[from:to]; q == "" {
		if err := s.addWords(c.Request().Context(), p.Rows); err != nil {
			return err
		}
	}
	p.TableList = component.TableList{
		Action: calls.QueuePath, Filter: q, Shown: len(p.Rows),
		CSV: kit.BuildURL(calls.QueuePath+".csv", "whose", whose, "q", q),
	}
	if from > 0 {
		p.First = queueAddress(whose, q, max(0, from-kit.RowsPerPage))
	}
	if to < len(found) {
		p.Next = queueAddress(whose, q, to)
	}
	return kit.RenderPage(c, http.StatusOK, queue.Page(p))
}

// exportQueue sends the part of the queue that matches the query as CSV.
func (s handlers) exportQueue(c echo.Context) error {
	all, err := s.queuedRows(c, true)
	return kit.ExportRows(c, "queue", queue.Table, partOf(all, c.QueryParam("whose")), err)
}

// addWords reads the messages of rows that lack them. A call that can't be read any more keeps none.
func (s handlers) addWords(ctx context.Context, rows []queue.Row) error {
	for i, row := range rows {
		found, err := s.Store.FindCall(ctx, row.OrgID, row.ID)
		if store.IgnoreMissing(err) != nil {
			return err
		}
		rows[i].Messages = found.Messages
	}
	return nil
}

// queuedRows returns the calls that need staff with what people read of them, longest wait first; with words, with
// their messages, too.
func (s handlers) queuedRows(c echo.Context, words bool) ([]queue.Row, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return nil, err
	}
	queued, err := s.queuedCalls(ctx, v.Org.ID, words)
	if err != nil {
		return nil, err
	}
	names, rows := s.NewActorNamer(ctx, v.Lang), make([]queue.Row, len(queued))
	for i, one := range queued {
		rows[i] = queueRow(one, scenarios, v, names)
	}
	return rows, nil
}

// queuedCalls returns the calls that need staff, longest wait first. All are read, since the store orders them by their
// dial time.
func (s handlers) queuedCalls(ctx context.Context, orgID string, words bool) ([]call.Call, error) {
	filter := kit.NeedsFilter()
	filter.Limit = kit.MaxStorePage
	read := s.Store.CallsPage
	if words {
		read = func(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error) {
			return s.Store.SearchCalls(ctx, orgID, f, "", everyCall)
		}
	}
	var all []call.Call
	for {
		found, err := read(ctx, orgID, filter)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Items...)
		if filter.Cursor = found.Next; found.Next == "" {
			break
		}
	}
	all = slices.DeleteFunc(all, func(c call.Call) bool { return c.Need == nil }) // followed up meanwhile
	slices.SortStableFunc(all, func(a, b call.Call) int { return a.Need.At.Compare(b.Need.At) })
	return all, nil
}

// everyCall finds every call.
func everyCall(call.Call) (found, more bool) { return true, true }

// queueRow returns a call for the queue.
func queueRow(c call.Call, scenarios []scenario.Scenario, v kit.Visitor, names func(actor string) string) queue.Row {
	plan, _ := kit.FindScenario(scenarios, c.ScenarioID)
	row := queue.Row{
		Call: c, Name: plan.PersonName(c.Variables), Scenario: kit.CallScenarioName(scenarios, c.ScenarioID, v.Lang),
		Reason: calls.AfterReasons.Word(v.Lang, string(c.Need.Reason)), Mine: c.Need.TakenBy == v.AuditActor(),
		May: v.User.Role.Allows(account.Operator) && c.ErasedAt == nil, Rings: kit.RingsVisitor(v),
	}
	if c.Need.Reason == call.NeedStaff {
		row.Reason = locale.FillSentence(calls.AfterNeedWhy.In(v.Lang), "who", names(c.Need.By))
	}
	if c.Need.TakenBy != "" {
		row.Taker = names(c.Need.TakenBy)
	}
	return row
}

// partOf returns the rows of a part.
func partOf(all []queue.Row, whose string) []queue.Row {
	var part []queue.Row
	for _, r := range all {
		if whose == mine && r.Mine || whose == untaken && r.Need.TakenBy == "" || whose != mine && whose != untaken {
			part = append(part, r)
		}
	}
	return part
}

// queueChoices returns the parts of the queue with their counts.
func queueChoices(all []queue.Row, chosen string, l locale.Language) (choices []queue.Choice) {
	for _, choice := range []struct{ whose, name string }{
		{"", queue.All.In(l)}, {mine, queue.Mine.In(l)}, {untaken, queue.Free.In(l)},
	} {
		choices = append(choices, queue.Choice{
			Name: choice.name, Count: strconv.Itoa(len(partOf(all, choice.whose))),
			Path: queueAddress(choice.whose, "", 0), Chosen: choice.whose == chosen,
		})
	}
	return choices
}

func queueAddress(whose, q string, from int) string {
	return kit.BuildURL(calls.QueuePath, "whose", whose, "q", q, "from", kit.FormatPositive(from))
}
