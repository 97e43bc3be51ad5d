package reports

import (
	"context"
	"slices"
	"strconv"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/reports"
)

// maxReplyCalls is the number of calls whose replies a report examines, newest first.
const maxReplyCalls = 200

// replyReport holds how long the people of a report's calls waited for replies.
type replyReport struct {
	calls int
	heard []int // milliseconds, ascending
}

// readReplies reads the replies of the newest calls of a report that were reached.
func (s handlers) readReplies(ctx context.Context, orgID string, q reportQuery) (r replyReport, err error) {
	filter := store.CallFilter{
		Statuses: []call.CallStatus{call.Completed}, ScenarioID: q.scenario, Sort: store.SortByDueTime,
		DueFrom: q.from.UTC(), DueTo: kit.DayAfter(q.to, 1).UTC(), Limit: maxReplyCalls,
	}
	_, err = s.Store.SearchCalls(ctx, orgID, filter, "", func(c call.Call) (found, more bool) {
		for _, m := range c.Messages {
			if m.ReplyTiming != nil {
				r.heard = append(r.heard, m.Heard)
			}
		}
		r.calls++
		return false, r.calls < maxReplyCalls
	})
	if err != nil {
		return r, err
	}
	slices.Sort(r.heard)
	return r, nil
}

// keyFigure returns the median and the 95th percentile.
func (r replyReport) keyFigure(l locale.Language) component.KeyFigure {
	if len(r.heard) == 0 {
		return component.KeyFigure{Label: reports.Reply.In(l), Value: "–", Note: reports.ReplyNone.In(l)}
	}
	at := func(percent int) string {
		return kit.DecimalSeconds(r.heard[min(len(r.heard)-1, percent*len(r.heard)/100)])
	}
	note := locale.FillSentence(reports.ReplyNote.In(l), "seconds", at(95), "calls", strconv.Itoa(r.calls))
	return component.KeyFigure{Label: reports.Reply.In(l), Value: at(50), Note: note}
}
