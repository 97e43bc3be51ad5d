package calls

import (
	"munadi/store/bulk"
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
	bulk.BulkChange
	Seconds int    // left to undo it
	Live    string // URL of its progress events (SSE); empty once it has ended
}

// moves reports whether the calls are moved; else they are cancelled.
func (p BulkChangeView) moves() bool { return !p.MoveTo.IsZero() }

// faultText returns why it ended before all calls were examined; empty if it did not.
func (p BulkChangeView) faultText() string {
	return map[bulk.ChangeState]locale.Text{bulk.Broken: BulkBroken, bulk.Dropped: BulkDropped}[p.State].In(p.Lang)
}

// leadText describes the pending or current change.
func (p BulkChangeView) leadText() string {
	switch {
	case p.State == bulk.Undone:
		return BulkUndone.In(p.Lang)
	case p.State == bulk.Waiting && p.moves():
		return BulkMoves.In(p.Lang).Fill(p.Count) + " " + BulkWait.In(p.Lang)
	case p.State == bulk.Waiting:
		return BulkCancels.In(p.Lang).Fill(p.Count) + " " + BulkWait.In(p.Lang)
	case p.moves():
		return BulkMoved.In(p.Lang).Fill(p.Changed)
	}
	return Cancelled.In(p.Lang).Fill(p.Changed)
}
