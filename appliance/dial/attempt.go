package dial

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/survive"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/scenario"
)

// attempt is one dial on its way.
type attempt struct {
	Deps
	call call.Call
	log  *slog.Logger

	scenario scenario.Scenario
	rules    dialling.Rules
	stop     *stop
	again    *carrier.Refusal // the carrier took no call: the attempt counts as none
}

// run makes the attempt; it never panics.
func (a *attempt) run(ctx context.Context) (talk Talk) {
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("a dial broke down", "panic", p, "stack", string(debug.Stack()))
			talk = failed(call.InternalFail)
		}
	}()
	if reason := a.prepare(ctx); reason != "" {
		return failed(reason)
	}
	over := a.watch(ctx)
	defer over()
	line, err := a.dial(ctx)
	if err != nil {
		return a.unanswered(ctx, err)
	}
	return a.answered(ctx, line)
}

// prepare reads what the attempt goes by. The scenario and the rules may have changed since the release.
func (a *attempt) prepare(ctx context.Context) call.Reason {
	var err error
	if a.scenario, err = a.Scenarios.Scenario(ctx, a.call.OrgID, a.call.ScenarioID); err == nil {
		a.rules, err = a.Store.Rules(ctx, a.call.OrgID)
	}
	switch {
	case err == nil:
		return ""
	case ctx.Err() != nil:
		return call.Interrupted
	case store.CodeOf(err) == store.CodeNotFound:
		return call.UnknownFlow
	default:
		a.log.Error("a call cannot be prepared", "err", err)
		return call.InternalFail
	}
}

// dial rings until somebody answers or the attempt is stopped.
func (a *attempt) dial(ctx context.Context) (carrier.Line, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.stop.ctx, cancel)() //nolint:contextcheck // the attempt's own end
	ring := time.Duration(a.scenario.RingSeconds) * time.Second
	if ring <= 0 {
		ring = scenario.DefaultRing
	}
	return a.Carrier.Dial(ctx, carrier.Request{
		CallID: a.call.ID, Number: a.call.PhoneNumber, Ring: ring, Attempt: a.call.Attempt.Number,
	})
}

// unanswered is the outcome of a dial that nobody took. Our own cause counts before the carrier's.
func (a *attempt) unanswered(ctx context.Context, err error) Talk {
	if ctx.Err() != nil {
		a.stop.ask(call.Interrupted)
	}
	if why := a.stop.settle(); why != "" {
		talk := failed(why)
		if why == call.Operator {
			talk.Outcome.EndedBy = call.ByOperator
		}
		return talk
	}
	var refusal *carrier.Refusal
	if !errors.As(err, &refusal) {
		a.log.Error("a dial failed without evidence", "err", err)
		return failed(call.InternalFail)
	}
	if refusal.RetryAfter > 0 {
		a.again = refusal
	}
	status, failure := carrier.Classify(refusal)
	talk := Talk{Outcome: call.Outcome{Status: status, Failure: &failure, Line: refusal.Line}}
	if failure.Reason == call.InvalidNumber && a.rules.SuppressInvalid {
		talk.Suppress = &dialling.Suppression{Reason: "the carrier says that there is no such number", Source: "carrier"}
	}
	return talk
}

// answered has the conversation held and is its outcome.
func (a *attempt) answered(ctx context.Context, line carrier.Line) Talk {
	defer line.Hangup()
	tape := a.record(line)
	kept := a.keepAnswer(ctx, tape.name)
	talk, err := a.converse(ctx, tape)
	why := a.stop.settle()
	line.Hangup()

	talk.Outcome = a.judge(talk.Outcome, err, why, tape)
	talk.Outcome.Duration = tape.seconds()
	if measured, ok := line.(carrier.Measured); ok {
		facts := measured.Measure()
		talk.Outcome.Line = &facts
	}
	talk.Outcome.Recording, err = tape.close()
	if err != nil {
		a.log.Error("a recording is not whole", "err", err)
		talk.Outcome.Errors = append(talk.Outcome.Errors, call.Trouble{
			Code: "recording_failed", Message: "The recording could not be written to its end.", At: tape.at().Seconds(),
		})
	}
	<-kept
	return talk
}

// converse hands the line over; a conversation that breaks down is an error.
func (a *attempt) converse(ctx context.Context, line *tape) (talk Talk, err error) {
	err = survive.Panic(func() (err error) {
		talk, err = a.hand(ctx, line)
		return err
	})
	return talk, err
}

// hand hands the line over. When the attempt is stopped the line is hung up, so that the conversation can bring
// home what it has; its context ends only if it does not.
func (a *attempt) hand(ctx context.Context, line *tape) (Talk, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(a.stop.ctx, func() { //nolint:contextcheck // the attempt's own end
		line.Hangup()
		time.AfterFunc(a.stop.patience(), cancel)
	})()
	line.moved()
	a.stop.talking(line)
	return a.Talker.Converse(ctx, Conversation{
		Call: a.call, Scenario: a.scenario, Rules: a.rules, Recorded: line.name != "", Line: line,
	})
}

// judge is the outcome of an answered call: why we ended it, if we did, counts before what the conversation made of it.
func (a *attempt) judge(o call.Outcome, err error, why call.Reason, line *tape) call.Outcome {
	var refusal *carrier.Refusal
	switch {
	case why == call.Operator && line.end > 0: // the person was reached, and what was said counts
		o.Status, o.Failure, o.EndedBy = call.Completed, nil, call.ByOperator
	case why == call.Operator:
		o = failed(why).Outcome
		o.EndedBy = call.ByOperator
	case why != "":
		o.Status, o.Failure = call.Failed, &call.Failure{Reason: why}
	case line.overran && (err == nil || errors.Is(err, carrier.ErrHungUp)):
		o = overrun(o, line)
	case line.hungUp && (err == nil || errors.Is(err, carrier.ErrHungUp)) && a.ends(o.Status):
		o.EndedBy = call.ByCustomer
	case errors.As(err, &refusal):
		o.Status, o.EndedBy = call.Failed, call.ByCarrier
		o.Failure = &call.Failure{Reason: call.CarrierFailure, SIPCode: refusal.SIPCode, Q850Cause: refusal.Q850}
	case err != nil || !a.ends(o.Status):
		a.log.Error("a conversation broke down", "status", o.Status, "err", err)
		o.Status, o.Failure = call.Failed, &call.Failure{Reason: call.InternalFail}
	}
	return o
}

// ends says whether an answered call may end so.
func (a *attempt) ends(s call.Status) bool {
	return s == call.Completed || slices.Contains(call.InProgress.After(call.Fail), s)
}

// overrun is the outcome of a call that was ended at its longest duration: the person was reached.
func overrun(o call.Outcome, line *tape) call.Outcome {
	if o.Status == "" {
		o.Status, o.Failure = call.Completed, nil
	}
	const code = "max_duration"
	if !slices.ContainsFunc(o.Errors, func(t call.Trouble) bool { return t.Code == code }) {
		o.Errors = append(o.Errors, call.Trouble{
			Code: code, Message: "The call was ended at its longest duration.", At: line.at().Seconds(),
		})
	}
	return o
}

func failed(why call.Reason) Talk {
	return Talk{Outcome: call.Outcome{
		Status: call.Failed, EndedBy: call.ByPlatform, Failure: &call.Failure{Reason: why},
	}}
}
