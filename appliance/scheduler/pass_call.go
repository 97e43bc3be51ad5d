package scheduler

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/appliance/recovery"
	"munadi/store/call"
	"munadi/store/callrules"
)

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
