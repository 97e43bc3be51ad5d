package schedule

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"munadi/appliance/speech"
	"munadi/store/call"
	"munadi/store/dialling"
)

// attempt is what a call does with its line: it is released and dialled, if it still may be. ctx ends when nothing
// more is to be released, calls when running calls are to end.
func (s *Scheduler) attempt(ctx, calls context.Context, c call.Call) {
	defer s.lines.free(c.ID)
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("a release broke down", "call_id", c.ID, "panic", p, "stack", string(debug.Stack()))
			s.lines.rest(c, time.Now())
		}
	}()
	released, ok, err := s.release(ctx, c)
	if err != nil {
		s.lines.rest(c, time.Now())
		if unlessGone(err) != nil && ctx.Err() == nil {
			s.Log.Error("a call cannot be released and rests", "call_id", c.ID, "err", err)
		}
	}
	if !ok {
		return
	}
	s.lines.released(c.ID)
	if err := s.Dialer.Run(calls, released); err != nil {
		s.Log.Error("an outcome could not be kept", "call_id", c.ID, "err", err)
	}
}

// release judges a call once more, since finding out whether it can be spoken may have taken a while, and hands it to
// its line.
func (s *Scheduler) release(ctx context.Context, c call.Call) (released call.Call, ok bool, err error) {
	decision := dialling.Decision{Action: dialling.Stop, Reason: call.NoVoice}
	if err = s.CanSpeak(ctx, c); err == nil {
		decision, err = s.again(ctx, c)
	} else if errors.Is(err, speech.ErrNoVoice) {
		err = nil
	}
	if err != nil || ctx.Err() != nil {
		return call.Call{}, false, err
	}
	now := time.Now()
	if decision.Action != dialling.Release {
		return call.Call{}, false, s.settle(ctx, c, decision, now)
	}
	released, err = s.Store.ReleaseCall(ctx, c.OrgID, c.ID, now)
	return released, err == nil, err
}

// again is the judgement right before the release, by the rules of this moment.
func (s *Scheduler) again(ctx context.Context, c call.Call) (dialling.Decision, error) {
	d, err := s.newDesk(ctx, c.OrgID)
	if err != nil {
		return dialling.Decision{}, err
	}
	return d.judge(ctx, c, s.lines.of(c.OrgID, c.ID), time.Now())
}
