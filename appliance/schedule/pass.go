package schedule

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/appliance/survive"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
)

const (
	batch       = 2048        // due calls that are read at once
	leastAsk    = 8           // of one organization, at first and when few lines are free
	mostAsk     = 1024        // of one organization
	writers     = 64          // calls moved or stopped at once: the store commits them together
	mostBlocked = 512         // calls of an organization, each to a number that is being called, behind which others are looked for
	longPass    = time.Second // after which the rules are read afresh
)

// pass is one look at what is due: rounds that each take the earliest calls of every organization that can use a line,
// until nothing is due, no line is free or every organization waits.
type pass struct {
	*Scheduler
	ctx   context.Context // ends when nothing more is to be released
	calls context.Context // ends when running calls are to end
	began time.Time

	now     time.Time // of this round
	desks   map[string]*desk
	view    view
	free    int
	blocked map[string]map[string]struct{} // by organization: due calls whose number is being called
	moved   int                            // rounds that moved or stopped calls: a backlog that needs no lines is taken in ever larger bites
	failed  []error
}

func (s *Scheduler) newPass(ctx, calls context.Context) *pass {
	return &pass{Scheduler: s, ctx: ctx, calls: calls, began: time.Now(), desks: map[string]*desk{}, blocked: map[string]map[string]struct{}{}}
}

// run is the pass. The time is when the next call is due, zero if another event comes first.
func (p *pass) run() (time.Time, error) {
	for {
		p.now = time.Now()
		p.view = p.lines.look(p.now)
		p.free = p.Lines() - p.lines.held()
		if p.free <= 0 || p.ctx.Err() != nil {
			return time.Time{}, errors.Join(p.failed...)
		}
		due, next, err := p.Store.DueCallsOf(p.ctx, p.room, p.now, batch)
		if err != nil {
			return time.Time{}, errors.Join(append(p.failed, err)...)
		}
		if changed := p.round(due); !changed {
			return next, errors.Join(p.failed...)
		}
		if time.Since(p.began) > longPass {
			return time.Now(), errors.Join(p.failed...)
		}
	}
}

// room is how many due calls of an organization are looked at: none if it waits, few as long as that is not known.
func (p *pass) room(org string) int {
	d, ask := p.desks[org], leastAsk
	switch {
	case d == nil:
	case d.waits:
		return 0
	default:
		ask = min(max(leastAsk, 2*p.free)<<p.moved, mostAsk)
	}
	return ask + p.view.skips[org] + min(len(p.blocked[org]), mostBlocked)
}

// round deals with due calls; false when it changed nothing, so that another round would see the same.
func (p *pass) round(due []call.Call) bool {
	var verdicts []verdict
	changed := false
	for _, c := range fairly(due, p.view.held) {
		if p.free == 0 {
			break
		}
		if p.isNumberBusy(c) {
			changed = p.noteBlocked(c) || changed
			continue
		}
		if p.passes(c) {
			continue
		}
		d, decision, ok := p.judge(c)
		switch {
		case !ok:
			changed = true
		case decision.Action == dialling.Release:
			p.release(c)
			changed = true
		case decision.Action == dialling.Wait:
			d.waits, changed = true, true
		default:
			verdicts = append(verdicts, verdict{c, decision})
		}
	}
	return p.execute(verdicts) || changed
}

// passes says whether a call is left alone in this round.
func (p *pass) passes(c call.Call) bool {
	if _, passed := p.view.passed[c.ID]; passed {
		return true
	}
	d := p.desks[c.OrgID]
	return d != nil && d.waits
}

// isNumberBusy says whether the organization calls the number already. No number is rung twice at once, and the second
// call sees the first one in its limits.
func (p *pass) isNumberBusy(c call.Call) bool {
	_, busy := p.view.numbers[person{c.OrgID, c.PhoneNumber}]
	_, own := p.view.passed[c.ID]
	return busy && !own
}

// noteBlocked remembers a due call that waits for its number, so that the next round looks behind it; false when it was
// known, or when the organization has [mostBlocked] of them.
func (p *pass) noteBlocked(c call.Call) bool {
	known := p.blocked[c.OrgID]
	if _, found := known[c.ID]; found || len(known) >= mostBlocked {
		return false
	}
	if known == nil {
		known = map[string]struct{}{}
		p.blocked[c.OrgID] = known
	}
	known[c.ID] = struct{}{}
	return true
}

// judge asks the call's organization. A call that cannot be judged rests, an organization whose rules cannot be read
// waits.
func (p *pass) judge(c call.Call) (*desk, dialling.Decision, bool) {
	d := p.desks[c.OrgID]
	if d == nil {
		var err error
		if d, err = p.newDesk(p.ctx, c.OrgID); err != nil {
			p.desks[c.OrgID] = &desk{waits: true}
			p.failed = append(p.failed, err)
			return nil, dialling.Decision{}, false
		}
		p.desks[c.OrgID] = d
	}
	decision, err := d.judge(p.ctx, c, p.view.held[c.OrgID], p.now)
	if err != nil {
		p.lines.rest(c, p.now)
		p.failed = append(p.failed, err)
	}
	return d, decision, err == nil
}

// release takes a line for a call and lets it go its way.
func (p *pass) release(c call.Call) {
	p.lines.take(c)
	p.free--
	p.view.held[c.OrgID]++
	p.view.numbers[person{c.OrgID, c.PhoneNumber}] = struct{}{}
	go p.attempt(p.ctx, p.calls, c)
}

// verdict is a decision that needs no line.
type verdict struct {
	call     call.Call
	decision dialling.Decision
}

// execute moves and stops calls, many at once; false when there was none. A call that cannot be, or was cancelled or
// moved in the meantime, rests: so no call can be met twice in a pass.
func (p *pass) execute(verdicts []verdict) bool {
	var all errgroup.Group
	all.SetLimit(writers)
	for _, v := range verdicts {
		all.Go(func() error {
			err := survive.Panic(func() error { return p.settle(p.ctx, v.call, v.decision, p.now) })
			if err != nil {
				p.lines.rest(v.call, p.now)
			}
			return unlessGone(err)
		})
	}
	if err := all.Wait(); err != nil {
		p.failed = append(p.failed, err)
	}
	if len(verdicts) > 0 {
		p.moved = min(p.moved+1, 7)
	}
	return len(verdicts) > 0
}

// settle carries out a decision that needs no line.
func (s *Scheduler) settle(ctx context.Context, c call.Call, d dialling.Decision, now time.Time) error {
	var err error
	switch d.Action {
	case dialling.Postpone:
		_, err = s.Store.RescheduleCall(ctx, c.OrgID, c.ID, d.At, call.Moved, actor, now)
	case dialling.Stop:
		_, err = s.Store.StopCall(ctx, c.OrgID, c.ID, d.Reason, now)
	default: // it waits where it is
	}
	return err
}

// unlessGone forgives that a call was cancelled, moved or erased in the meantime.
func unlessGone(err error) error {
	switch store.CodeOf(err) {
	case store.CodeConflict, store.CodeNotFound:
		return nil
	default:
		return err
	}
}
