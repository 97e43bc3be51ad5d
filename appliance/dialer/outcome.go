package dialer

import (
	"context"
	"errors"
	"slices"

	"munadi/appliance/carrier"
	"munadi/store/call"
	"munadi/store/callrules"
)

// outcomeUnanswered returns the outcome of an unanswered dial. A stop request takes precedence over the carrier's
// reason.
func (a *dialAttempt) outcomeUnanswered(ctx context.Context, err error) TalkResult {
	if ctx.Err() != nil {
		a.stop.requestStop(call.Interrupted)
	}
	if why := a.stop.settleReason(); why != "" {
		talk := failedResult(why)
		if why == call.Operator {
			talk.Outcome.EndedBy = call.ByOperator
		}
		return talk
	}
	if errors.Is(err, carrier.ErrCallerGone) {
		return TalkResult{Outcome: call.CallOutcome{
			Status: call.NoAnswer, EndedBy: call.ByCustomer, Failure: &call.CallFailure{Reason: call.CallerHungUp},
		}}
	}
	var refusal *carrier.DialError
	if !errors.As(err, &refusal) {
		a.log.Error("a dial failed without evidence", "err", err)
		return failedResult(call.InternalFail)
	}
	if refusal.RetryAfter > 0 {
		a.notAccepted = refusal
	}
	a.hearAnnouncement(ctx, refusal)
	status, failure := carrier.ClassifyRefusal(refusal)
	talk := TalkResult{Outcome: call.CallOutcome{Status: status, Failure: &failure, Line: refusal.Line}}
	if failure.Reason == call.InvalidNumber && a.rules.SuppressInvalid {
		talk.Suppress = &callrules.SuppressionEntry{
			Reason: "the carrier says that there is no such number", Source: "carrier",
		}
	}
	return talk
}

// judgeOutcome returns the outcome of an answered call. A stop request takes precedence over the conversation's own
// result.
func (a *dialAttempt) judgeOutcome(
	o call.CallOutcome, err error, why call.FailureReason, line *recordedLine,
) call.CallOutcome {
	var refusal *carrier.DialError
	switch {
	case why == call.Operator: // the person was reached, however short it was, and the transcript counts
		o.Status, o.Failure, o.EndedBy = call.Completed, nil, call.ByOperator
	case why != "":
		o.Status, o.Failure = call.Failed, &call.CallFailure{Reason: why}
	case line.overran.Load() && (err == nil || errors.Is(err, carrier.ErrHungUp)):
		o = overrunOutcome(o, line)
	case line.hungUp && (err == nil || errors.Is(err, carrier.ErrHungUp)) && a.isAnsweredEnd(o.Status):
		o.EndedBy = call.ByCustomer
	case errors.As(err, &refusal):
		failure := carrier.ClassifyBrokenLine(refusal)
		o.Status, o.EndedBy, o.Failure = call.Failed, call.ByCarrier, &failure
		a.log.Warn("the line of a call broke", "reason", failure.Reason, "err", refusal.Err)
	case err != nil || !a.isAnsweredEnd(o.Status):
		a.log.Error("a conversation failed", "status", o.Status, "err", err)
		o.Status, o.Failure = call.Failed, &call.CallFailure{Reason: call.InternalFail}
	}
	return o
}

// isAnsweredEnd reports whether an answered call may end in s.
func (a *dialAttempt) isAnsweredEnd(s call.CallStatus) bool {
	return s == call.Completed || slices.Contains(call.InProgress.NextStatuses(call.Fail), s)
}

// overrunOutcome returns the outcome of a call cut off at its maximum duration: the person was reached.
func overrunOutcome(o call.CallOutcome, line *recordedLine) call.CallOutcome {
	if o.Status == "" {
		o.Status, o.Failure = call.Completed, nil
	}
	const code = "max_duration"
	if !slices.ContainsFunc(o.Errors, func(t call.CallError) bool { return t.Code == code }) {
		o.Errors = append(o.Errors, call.CallError{
			Code: code, Message: "The call was ended at its longest duration.", At: line.lineTime().Seconds(),
		})
	}
	return o
}

func failedResult(why call.FailureReason) TalkResult {
	return TalkResult{Outcome: call.CallOutcome{
		Status: call.Failed, EndedBy: call.ByPlatform, Failure: &call.CallFailure{Reason: why},
	}}
}
