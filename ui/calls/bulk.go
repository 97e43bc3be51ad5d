package calls

import (
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// BulkView is the page for choosing a bulk change of all scheduled calls that a filter matches.
type BulkView struct {
	layout.ConsolePage
	Count            int
	Query            string // the filter
	Back             string
	Fault            string
	Zone             string
	Earliest, Latest string // as a datetime-local field has them
}

// BulkChangeView is a bulk change: it waits, runs or has ended.
type BulkChangeView struct {
	layout.ConsolePage
	ID, State            string // waiting, running, done, undone, broken, dropped
	Moves                bool   // the calls are moved; else cancelled
	Count, Changed, Left int
	Seconds              int    // left to undo it
	Live                 string // URL of its progress events (SSE); empty once it has ended
}

// isUnderWay reports whether the change is waiting or running, so that the page follows it.
func (p BulkChangeView) isUnderWay() bool { return p.State == "waiting" || p.State == "running" }

// faultText returns why it ended before all calls were examined; empty if it did not.
func (p BulkChangeView) faultText() string {
	return map[string]locale.Text{"broken": BulkBroken, "dropped": BulkDropped}[p.State].In(p.Lang)
}

// leadText describes the pending or current change.
func (p BulkChangeView) leadText() string {
	switch {
	case p.State == "undone":
		return BulkUndone.In(p.Lang)
	case p.State == "waiting" && p.Moves:
		return BulkMoves.In(p.Lang).Fill(p.Count) + " " + BulkWait.In(p.Lang)
	case p.State == "waiting":
		return BulkCancels.In(p.Lang).Fill(p.Count) + " " + BulkWait.In(p.Lang)
	case p.Moves:
		return BulkMoved.In(p.Lang).Fill(p.Changed)
	}
	return Cancelled.In(p.Lang).Fill(p.Changed)
}
