package scheduler

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/record"
)

const (
	batch       = 2048        // due calls read at once
	leastAsk    = 8           // calls per organization, at first and when few lines are free
	mostAsk     = 1024        // calls per organization
	writers     = 64          // concurrent writes: the store commits them as a group
	mostBlocked = 512         // calls per organization that wait for a busy number and are skipped in the search
	longPass    = time.Second // after which the rules are read again
)

// dispatchRound dispatches the due calls: iterations that each take the earliest calls of every organization that can
// use a line, until no call is due, no line is free or every organization is blocked.
type dispatchRound struct {
	*Scheduler
	ctx   context.Context // ends when releasing stops
	calls context.Context // ends when running calls are to end
	began time.Time

	now      time.Time // of this iteration
	policies map[string]*callPolicy
	view     lineView
	free     int
	trials   []func(number string) bool     // of paused trunks that the next call tries: which numbers they serve
	blocked  map[string]map[string]struct{} // by organization: due calls whose number is busy
	moved    int                            // iterations that moved or stopped calls; the batch size grows with them
	failed   []error

	take    func(number string) bool // takes a line that serves a number
	starved bool                     // a due call waits for a line that serves its number

	campaigns map[string]campaign.Campaign // campaigns whose room was computed
	over      []campaign.Campaign          // those whose time is over
	wake      time.Time                    // when the first campaign's pace lets its next call start
}

func (s *Scheduler) newRound(ctx, calls context.Context) *dispatchRound {
	return &dispatchRound{
		Scheduler: s,
		ctx:       ctx,
		calls:     calls,
		began:     time.Now(),
		policies:  map[string]*callPolicy{},
		blocked:   map[string]map[string]struct{}{},
		campaigns: map[string]campaign.Campaign{},
	}
}

// runRound dispatches until no call can be released. It returns the dial time of the next call, zero if another event
// comes first.
func (p *dispatchRound) runRound() (time.Time, error) {
	for {
		p.now = time.Now()
		p.view = p.lines.snapshotLines(p.now)
		p.free = p.outboundLines()
		p.take, p.trials = p.Room(p.view.heldNumbers), p.Trials()
		if p.free <= 0 || p.ctx.Err() != nil {
			return time.Time{}, errors.Join(p.failed...)
		}
		due, next, err := p.findDueCalls()
		if err != nil {
			return time.Time{}, errors.Join(append(p.failed, err)...)
		}
		if changed := p.dispatchCalls(due); !changed {
			if p.starved {
				next = record.EarliestTime(next, p.now.Add(askEvery))
			}
			return next, errors.Join(p.failed...)
		}
		if time.Since(p.began) > longPass {
			return time.Now(), errors.Join(p.failed...)
		}
	}
}

// findDueCalls returns the due calls of organizations and campaigns, and the time at which there may be more.
func (p *dispatchRound) findDueCalls() ([]call.Call, time.Time, error) {
	due, next, err := p.Store.DueCallsOf(p.ctx, p.organizationRoom, p.now, batch)
	if err != nil {
		return nil, next, err
	}
	p.wake, p.over = time.Time{}, nil
	some, later, err := p.Store.DueCampaignCalls(p.ctx, p.campaignRoom, p.now, batch)
	if err == nil {
		err = p.closeCampaigns()
	}
	if err != nil || len(some) == 0 {
		return due, record.EarliestTime(next, later, p.wake), err
	}
	due = append(due, some...)
	slices.SortStableFunc(due, func(a, b call.Call) int { return a.ScheduledAt.Compare(b.ScheduledAt) })
	return due, record.EarliestTime(next, later, p.wake), nil
}

// organizationRoom returns how many due calls of an organization to read: none if it is blocked, few as long as that is
// not known.
func (p *dispatchRound) organizationRoom(org string) int {
	d, ask := p.policies[org], leastAsk
	switch {
	case d != nil && d.waits:
		return 0
	case len(p.trials) > 0:
		ask = mostAsk
	case d != nil:
		ask = min(max(leastAsk, 2*p.free)<<p.moved, mostAsk)
	}
	return ask + p.view.skips[org] + min(len(p.blocked[org]), mostBlocked)
}

// dispatchCalls handles due calls; false without a change, so that another iteration would have the same result.
func (p *dispatchRound) dispatchCalls(due []call.Call) bool {
	var verdicts []policyVerdict
	changed := false
	for _, c := range p.chooseTrials(orderFairly(due, p.view.held)) {
		if p.free == 0 {
			break
		}
		if p.isNumberBusy(c) {
			changed = p.noteBlocked(c) || changed
			continue
		}
		if p.isSkipped(c) || !p.campaignMayStart(c) {
			continue
		}
		d, decision, ok := p.judgeCall(c)
		switch {
		case !ok:
			changed = true
		case decision.Action == callrules.Release && !p.take(c.PhoneNumber):
			p.starved = true
			changed = p.noteBlocked(c) || changed
		case decision.Action == callrules.Release:
			p.startCall(c)
			changed = true
		case decision.Action == callrules.Wait:
			d.waits, changed = true, true
		default:
			verdicts = append(verdicts, policyVerdict{c, decision})
		}
	}
	return p.applyVerdicts(verdicts) || changed
}

// ignoreNotFound ignores the error of a call that was cancelled, moved or erased meanwhile.
func ignoreNotFound(err error) error {
	switch store.CodeOf(err) {
	case store.CodeConflict, store.CodeNotFound:
		return nil
	default:
		return err
	}
}

// isSkipped reports whether a call is skipped in this iteration.
func (p *dispatchRound) isSkipped(c call.Call) bool {
	if _, passed := p.view.passed[c.ID]; passed {
		return true
	}
	d := p.policies[c.OrgID]
	return d != nil && d.waits
}

// isNumberBusy reports whether the organization is calling the number already. No number is dialled twice at once, so
// that the second call counts the first one in its limits.
func (p *dispatchRound) isNumberBusy(c call.Call) bool {
	_, busy := p.view.numbers[personKey{c.OrgID, c.PhoneNumber}]
	_, own := p.view.passed[c.ID]
	return busy && !own
}

// noteBlocked records a due call that waits for its number, so that the next iteration skips it; false if it
// was recorded already, or when the organization has [mostBlocked] of them.
func (p *dispatchRound) noteBlocked(c call.Call) bool {
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

// judgeCall asks the organization's call policy. A call whose decision fails is skipped for a while; an organization
// whose rules cannot be read is blocked for this round.
func (p *dispatchRound) judgeCall(c call.Call) (*callPolicy, callrules.CallDecision, bool) {
	d := p.policies[c.OrgID]
	if d == nil {
		var err error
		if d, err = p.newCallPolicy(p.ctx, c.OrgID); err != nil {
			p.policies[c.OrgID] = &callPolicy{waits: true}
			p.failed = append(p.failed, err)
			return nil, callrules.CallDecision{}, false
		}
		p.policies[c.OrgID] = d
	}
	decision, err := d.decideCall(p.ctx, c, p.view.held[c.OrgID], p.now)
	if err != nil {
		p.lines.restCall(c, p.now)
		p.failed = append(p.failed, err)
	}
	return d, decision, err == nil
}

// startCall assigns a line to a call and starts its attempt.
func (p *dispatchRound) startCall(c call.Call) {
	p.lines.takeLine(c)
	p.free--
	p.view.held[c.OrgID]++
	p.noteCampaignStart(c)
	p.view.numbers[personKey{c.OrgID, c.PhoneNumber}] = struct{}{}
	go p.attemptCall(p.ctx, p.calls, c)
}

// policyVerdict is a decision that needs no line.
type policyVerdict struct {
	call     call.Call
	decision callrules.CallDecision
}

// applyVerdicts postpones and stops calls concurrently; false when there was none. A call for which that fails, or that
// was cancelled or moved meanwhile, is skipped for a while, so that no call is handled twice in a round.
func (p *dispatchRound) applyVerdicts(verdicts []policyVerdict) bool {
	var all errgroup.Group
	all.SetLimit(writers)
	for _, v := range verdicts {
		all.Go(func() error {
			err := recovery.RecoverPanic(func() error { return p.applyDecision(p.ctx, v.call, v.decision, p.now) })
			if err != nil {
				p.lines.restCall(v.call, p.now)
			}
			return ignoreNotFound(err)
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

// applyDecision carries out a decision that needs no line.
func (s *Scheduler) applyDecision(ctx context.Context, c call.Call, d callrules.CallDecision, now time.Time) error {
	var err error
	switch d.Action {
	case callrules.Postpone:
		_, err = s.Store.RescheduleCall(ctx, c.OrgID, c.ID, d.At, call.Moved, actor, now)
	case callrules.Stop:
		_, err = s.Store.StopCall(ctx, c.OrgID, c.ID, d.Reason, now)
	default: // it stays in the queue
	}
	return err
}
