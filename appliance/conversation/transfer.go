package conversation

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

const (
	referWait = carrier.Unread   // for the target of a REFER to answer
	staffRing = 25 * time.Second // for a member of staff to answer
)

// errNotTaken means that no target of a transfer took the call, which goes on with on_failure.
var errNotTaken = errors.New("nobody took the call")

// runTransfer connects the call with a person. It leads to on_failure, or without one to the next step, if no target
// takes the call.
func (s *conversationSession) runTransfer(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	s.transferTried = true
	otherwise := s.Scenario.NextStep(i, cmp.Or(step.OnFailure, step.Next))
	targets, err := s.allowedTargets(ctx, step)
	if err != nil {
		return 0, err
	}
	if len(targets) == 0 {
		return otherwise, nil
	}
	lines := step.Say
	if len(lines) == 0 {
		lines = s.commonLines(transferring)
	}
	if err := s.sayLines(ctx, lines); err != nil {
		return 0, err
	}
	switch err := s.connectStaff(ctx, step, targets); {
	case err == nil:
		s.transferred = true
		return 0, errMoved
	case !errors.Is(err, errNotTaken):
		return 0, err
	}
	s.addError("transfer_failed", "The call could not be connected with the person it was to go on with.")
	return otherwise, nil
}

// allowedTargets returns the targets of a transfer to which this call may be transferred; each other one gets an error
// entry.
func (s *conversationSession) allowedTargets(
	ctx context.Context, step scenario.FlowStep,
) (allowed []callrules.TransferTarget, _ error) {
	for _, target := range step.TransferTargets() {
		to, err := s.transferTarget(ctx, target)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			s.addError("transfer_refused", "The call may not be transferred: the target %s.", err)
			if to.String() != "" {
				s.addTransfer(s.newTransfer(step, to), call.TransferForbidden)
			}
		default:
			allowed = append(allowed, to)
		}
	}
	return allowed, nil
}

// transferTarget returns a target of a transfer; the error says why it is not allowed.
func (s *conversationSession) transferTarget(
	ctx context.Context, target string,
) (to callrules.TransferTarget, err error) {
	filled, err := scenario.FillText(target, s.slotValue)
	if err != nil {
		return to, err
	}
	if to, err = callrules.ParseTransfer(strings.TrimSpace(filled)); err == nil && s.MayTransfer != nil {
		err = s.MayTransfer(ctx, to)
	}
	return to, err
}

// connectStaff connects the call with the first target that takes it; [errNotTaken] if none does.
func (s *conversationSession) connectStaff(
	ctx context.Context, step scenario.FlowStep, targets []callrules.TransferTarget,
) error {
	if step.Order == scenario.AtOnce && len(targets) > 1 && s.DialStaff != nil {
		return s.offerCall(ctx, step, targets)
	}
	for _, to := range targets {
		if err := s.connectTarget(ctx, step, to); !errors.Is(err, errNotTaken) {
			return err
		}
	}
	return errNotTaken
}

// connectTarget connects the call with one target: blindly by the trunk where that can, which sends no keys, else over
// a line of our own.
func (s *conversationSession) connectTarget(
	ctx context.Context, step scenario.FlowStep, to callrules.TransferTarget,
) error {
	if s.DialStaff == nil || step.Mode != scenario.Attended && step.Keys == "" && !s.neverRefers {
		if err := s.referTo(ctx, step, to); !errors.Is(err, carrier.ErrNoTransfer) {
			return err
		}
		s.neverRefers = true
	}
	if s.DialStaff == nil {
		return errNotTaken
	}
	return s.offerCall(ctx, step, []callrules.TransferTarget{to})
}

// referTo lets the trunk transfer the call. The other side hears the hold tone, while no frames are read.
func (s *conversationSession) referTo(
	ctx context.Context, step scenario.FlowStep, to callrules.TransferTarget,
) error {
	tried := s.newTransfer(step, to)
	tried.Way = call.ReferWay
	inner, cancel := context.WithTimeout(ctx, referWait)
	defer cancel()
	if s.DialStaff != nil {
		new(bridge.HoldTone).PlayAll(s.Line, referWait)
	}
	err := s.Line.Transfer(inner, to.String())
	if err == nil {
		s.addTransfer(tried, call.Transferred)
		return nil
	}
	if s.DialStaff != nil {
		s.Line.Flush()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, carrier.ErrNoTransfer) && s.DialStaff != nil:
		return err
	}
	s.addTransfer(tried, outcomeOfDial(err))
	switch {
	case errors.Is(err, io.EOF): // the other side did not wait for the outcome
		return errRemoteHungUp
	case errors.Is(err, carrier.ErrHungUp), errors.Is(err, carrier.ErrNoTransfer):
		return err
	}
	return errNotTaken
}

// newTransfer returns an attempt to connect the call that begins now.
func (s *conversationSession) newTransfer(step scenario.FlowStep, to callrules.TransferTarget) call.CallTransfer {
	return call.CallTransfer{
		At: s.lineAt(s.now).Seconds(), Way: call.BridgeWay, Mode: string(cmp.Or(step.Mode, scenario.Blind)), To: to.String(),
	}
}

// addTransfer stores an attempt with its outcome.
func (s *conversationSession) addTransfer(tried call.CallTransfer, how call.TransferOutcome) {
	if tried.Outcome = how; len(s.transfers) < call.MaxTransfers {
		s.transfers = append(s.transfers, tried)
	}
}

// outcomeOfDial returns the outcome of an attempt by the error of its dial, or of its line.
func outcomeOfDial(err error) call.TransferOutcome {
	var refused *carrier.DialError
	switch {
	case errors.Is(err, errStaffRefused):
		return call.TransferRefused
	case errors.Is(err, errStaffSilent), errors.Is(err, context.DeadlineExceeded):
		return call.TransferNoAnswer
	case errors.Is(err, ErrStaffForbidden):
		return call.TransferForbidden
	case errors.Is(err, context.Canceled), errors.Is(err, io.EOF), errors.Is(err, carrier.ErrHungUp):
		return call.TransferCancelled
	case !errors.As(err, &refused):
		return call.TransferFailed
	}
	switch status, failure := carrier.ClassifyRefusal(refused); {
	case failure.Reason == call.Busy:
		return call.TransferBusy
	case status == call.UserRejected:
		return call.TransferRefused
	case status == call.NoAnswer, status == call.UserUnavailable:
		return call.TransferNoAnswer
	}
	return call.TransferFailed
}
