package calls

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// The filters of the queue by assignee.
const (
	queueMine    = "mine"
	queueUntaken = "free" // not taken
)

// showQueue shows the calls that need staff, longest wait first: all, the user's own, or those that are not taken.
func (s handlers) showQueue(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	queued, err := s.queuedCalls(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p := calls.QueueView{
		ConsolePage: s.ConsoleFrame(c, locale.ConsoleQueue.In(v.Lang)), Zone: kit.RulesZone(rules),
		May: v.User.Role.Allows(account.Operator),
	}
	p.Styles = append(p.Styles, "css/console-call.css")
	whose := c.QueryParam("whose")
	p.Choices = queueChoices(queued, whose, v)
	shown := slices.DeleteFunc(queued, func(one call.Call) bool { return !isQueuedFor(one, whose, v) })
	from := min(max(0, kit.ParseNumber(c.QueryParam("from"))), len(shown))
	if shown = shown[from:]; len(shown) > kit.RowsPerPage {
		shown, p.Next = shown[:kit.RowsPerPage], queueAddress(whose, from+kit.RowsPerPage)
	}
	if from > 0 {
		p.First = queueAddress(whose, 0)
	}
	names, labels := s.newActorNamer(ctx, v.Lang), kit.ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}
	for _, one := range shown {
		p.Rows = append(p.Rows, queueRow(one, labels, v, names))
	}
	return kit.RenderPage(c, http.StatusOK, calls.QueuePage(p))
}

// queuedCalls returns the calls that need staff, longest wait first. All are read, since the store orders them by their
// dial time.
func (s handlers) queuedCalls(ctx context.Context, orgID string) ([]call.Call, error) {
	filter := kit.NeedsFilter()
	filter.Limit = kit.MaxStorePage
	var all []call.Call
	for {
		found, err := s.Store.CallsPage(ctx, orgID, filter)
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

// isQueuedFor reports whether a call belongs to a filter.
func isQueuedFor(c call.Call, whose string, v kit.Visitor) bool {
	switch whose {
	case queueMine:
		return c.Need.TakenBy == v.AuditActor()
	case queueUntaken:
		return c.Need.TakenBy == ""
	}
	return true
}

// queueChoices returns the filters of the queue with their counts.
func queueChoices(queued []call.Call, chosen string, v kit.Visitor) (all []calls.QueueChoice) {
	for _, choice := range []struct{ whose, name string }{
		{"", calls.AfterQueueAll.In(v.Lang)},
		{queueMine, calls.AfterQueueMine.In(v.Lang)},
		{queueUntaken, calls.AfterQueueFree.In(v.Lang)},
	} {
		n := 0
		for _, one := range queued {
			if isQueuedFor(one, choice.whose, v) {
				n++
			}
		}
		all = append(all, calls.QueueChoice{
			Name: choice.name, Count: strconv.Itoa(n), Path: queueAddress(choice.whose, 0), Chosen: choice.whose == chosen,
		})
	}
	return all
}

func queueAddress(whose string, from int) string {
	return kit.BuildURL(calls.QueuePath, "whose", whose, "from", kit.FormatPositive(from))
}

// queueRow returns a call for the queue.
func queueRow(c call.Call, labels kit.ScenarioLabels, v kit.Visitor, names actorNamer) calls.QueueRow {
	row := calls.QueueRow{CallRow: kit.CallRow(c, labels)}
	if need := needView(c.Need, v, names); need != nil {
		row.Need = *need
	}
	if n := len(c.Notes); n > 0 {
		row.Note = c.Notes[n-1].Text
	}
	return row
}
