package scheduler

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/recovery"
	"munadi/appliance/tts"
	"munadi/store/call"
	"munadi/store/callrules"
)

// attemptCall releases and dials a call that holds a line, if it is still allowed. ctx ends when no more calls are to
// be released, calls when running calls are to end (graceful shutdown).
func (s *Scheduler) attemptCall(ctx, calls context.Context, c call.Call) {
	defer s.lines.freeLine(c.ID)
	err := recovery.RecoverPanic(func() error {
		s.releaseAndDial(ctx, calls, c)
		return nil
	})
	if err != nil {
		s.Log.Error("panic in a call release", "call_id", c.ID, "err", err)
		s.lines.restCall(c, time.Now())
	}
}

func (s *Scheduler) releaseAndDial(ctx, calls context.Context, c call.Call) {
	released, ok, err := s.releaseCall(ctx, c)
	if err != nil {
		s.lines.restCall(c, time.Now())
		if ignoreNotFound(err) != nil && ctx.Err() == nil {
			s.Log.Error("a call cannot be released; it is retried later", "call_id", c.ID, "err", err)
		}
	}
	if !ok {
		return
	}
	s.lines.markReleased(c.ID)
	if err := s.Dialer.Run(calls, released); err != nil {
		s.Log.Error("an outcome could not be stored", "call_id", c.ID, "err", err)
	}
}

// releaseCall decides about a call again, since checking its speech may have taken a while, and moves it to dialing.
func (s *Scheduler) releaseCall(ctx context.Context, c call.Call) (released call.Call, ok bool, err error) {
	decision := callrules.CallDecision{Action: callrules.Stop, Reason: call.NoVoice}
	if err = s.CanSpeak(ctx, c); err == nil {
		decision, err = s.decideAgain(ctx, c)
	} else if errors.Is(err, tts.ErrNoVoice) {
		err = nil
	}
	if err != nil || ctx.Err() != nil {
		return call.Call{}, false, err
	}
	now := time.Now()
	if decision.Action != callrules.Release {
		return call.Call{}, false, s.applyDecision(ctx, c, decision, now)
	}
	released, err = s.Store.ReleaseCall(ctx, c.OrgID, c.ID, now)
	return released, err == nil, err
}

// decideAgain repeats the decision right before the release, with the current rules.
func (s *Scheduler) decideAgain(ctx context.Context, c call.Call) (callrules.CallDecision, error) {
	d, err := s.newCallPolicy(ctx, c.OrgID)
	if err != nil {
		return callrules.CallDecision{}, err
	}
	return d.decideCall(ctx, c, s.lines.organizationLines(c.OrgID, c.ID), time.Now())
}

// Errors of inbound calls that get no line.
var (
	ErrNotReady = errors.New("the appliance takes no calls: it is starting or shutting down")
	ErrNoLine   = errors.New("all lines of the appliance are in use")
)

// HoldLine holds a line for a further leg of a running call, if fewer lines than limit are in use, until it is freed.
func (s *Scheduler) HoldLine(orgID, number string, limit int) (free func(), err error) {
	leg := call.Call{ID: call.NewID(), OrgID: orgID, PhoneNumber: number}
	if err := s.lines.takeInboundLine(leg, limit); err != nil {
		return nil, err
	}
	return func() { s.lines.freeLine(leg.ID) }, nil
}

// RunInbound holds a line for a call that comes in while run holds the conversation, if fewer lines than limit are in
// use: outbound calls then wait for it, the same number is not dialled, and a shutdown lets it end. The context of run
// ends when running calls are to end. An error says that run was not called.
func (s *Scheduler) RunInbound(c call.Call, limit int, run func(calls context.Context)) error {
	if err := s.lines.takeInboundLine(c, limit); err != nil {
		return err
	}
	defer s.lines.freeLine(c.ID)
	run(*s.inbound.Load())
	return nil
}
