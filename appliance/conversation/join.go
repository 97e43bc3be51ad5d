package conversation

import (
	"context"
	"errors"
	"io"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/store/call"
	"munadi/store/scenario"
)

// MaxStaffTime is how long a call may last with a person who took it.
const MaxStaffTime = 2 * time.Hour

// joinStaff joins the call with the line of a person who took it until one side hangs up; nil then. [errNotTaken] means
// that the line to the person broke while the call is up.
func (s *conversationSession) joinStaff(ctx context.Context, line carrier.Line, tried call.CallTransfer) error {
	defer line.Hangup()
	s.Line.Flush()
	from := s.now
	err := s.passSound(ctx, &bridge.Bridge{Near: s.Line, Far: line, NoTone: s.Joined != nil}, MaxStaffTime, nil)
	seconds := int((s.now - from) / time.Second)
	tried.Duration = &seconds
	var far *bridge.FarError
	switch {
	case errors.Is(err, errRemoteHungUp), errors.As(err, &far) && errors.Is(far, io.EOF):
		err = nil
	case far != nil && ctx.Err() == nil:
		s.addTransfer(tried, call.TransferFailed)
		return errNotTaken
	}
	s.addTransfer(tried, call.Transferred)
	return err
}

// JoinedStaff is a member of staff who was called first and waits for the person.
type JoinedStaff struct {
	Line carrier.Line
	To   string // number or SIP address
}

// giveToJoined joins the call with the member of staff who waits for it; nothing follows their talk.
func (s *conversationSession) giveToJoined(ctx context.Context) error {
	tried := call.CallTransfer{
		At: s.lineAt(s.now).Seconds(), Way: call.BridgeWay, Mode: string(scenario.Blind), To: s.Joined.To,
	}
	s.transferred = true
	err := s.joinStaff(ctx, s.Joined.Line, tried)
	if errors.Is(err, errNotTaken) {
		s.transferred = false
		s.addError("transfer_failed", "The call could not be connected with the person it was to go on with.")
		return nil
	}
	return err
}

// passSound passes the sound of a bridge until a side ends, the time is over or stop is closed: nil then. Nothing is
// recognized meanwhile, and the dialogue's own time limit stands still.
func (s *conversationSession) passSound(
	ctx context.Context, b *bridge.Bridge, limit time.Duration, stop <-chan struct{},
) error {
	if s.LimitLine != nil {
		s.LimitLine(limit)
	}
	if s.OnStaff != nil {
		s.OnStaff(true)
		defer s.OnStaff(false)
	}
	s.endHold()
	from := s.now
	near, far := holdWatch{by: call.HeldByCustomer}, holdWatch{by: call.HeldByStaff}
	defer func() {
		s.unrecognized = append(s.unrecognized, call.SoundSpan{From: s.lineAt(from).Seconds(), To: s.lineAt(s.now).Seconds()})
		near.follow(s, false)
		far.follow(s, false)
		s.ears.zero += s.now - from
		s.withStaff += s.now - from
		s.turns, s.pressed = nil, ""
		if s.LimitLine != nil {
			s.LimitLine(s.Scenario.MaxDuration() + s.withStaff - s.now - s.heldTime)
		}
	}()
	for s.now-from < limit {
		select {
		case <-s.Hangup:
			return errOperator
		case <-stop:
			return nil
		default:
		}
		f, err := b.PassFrame(ctx)
		switch {
		case errors.Is(err, io.EOF) && !isFarError(err):
			return errRemoteHungUp
		case err != nil && !isFarError(err):
			return err
		}
		s.setTime(f)
		if s.OnFrame != nil {
			s.OnFrame(f)
		}
		if err != nil {
			return err
		}
		if near.follow(s, f.Held) || far.follow(s, b.FarHeld) {
			return errHeldTooLong
		}
	}
	return nil
}

// isFarError reports whether it was the far line of a bridge that ended.
func isFarError(err error) bool {
	var far *bridge.FarError
	return errors.As(err, &far)
}
