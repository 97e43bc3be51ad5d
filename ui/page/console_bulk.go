package page

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

func (p BulkView) pageWords() locale.CallsWords { return locale.CallsIn(p.Lang) }

// BulkChangeView is a bulk change: it waits, runs or has ended.
type BulkChangeView struct {
	layout.ConsolePage
	ID, State            string // waiting, running, done, undone, broken, dropped
	Moves                bool   // the calls are moved; else cancelled
	Count, Changed, Left int
	Seconds              int    // left to undo it
	Live                 string // URL of its progress events (SSE); empty once it has ended
}

func (p BulkChangeView) pageWords() locale.CallsWords { return locale.CallsIn(p.Lang) }

// isUnderWay reports whether the change is waiting or running, so that the page follows it.
func (p BulkChangeView) isUnderWay() bool { return p.State == "waiting" || p.State == "running" }

// faultText returns why it ended before all calls were examined; empty if it did not.
func (p BulkChangeView) faultText() string {
	return map[string]string{"broken": p.pageWords().BulkBroken, "dropped": p.pageWords().BulkDropped}[p.State]
}

// leadText describes the pending or current change.
func (p BulkChangeView) leadText() string {
	w := p.pageWords()
	switch {
	case p.State == "undone":
		return w.BulkUndone
	case p.State == "waiting" && p.Moves:
		return w.BulkMoves.Fill(p.Count) + " " + w.BulkWait
	case p.State == "waiting":
		return w.BulkCancels.Fill(p.Count) + " " + w.BulkWait
	case p.Moves:
		return w.BulkMoved.Fill(p.Changed)
	}
	return w.Cancelled.Fill(p.Changed)
}
