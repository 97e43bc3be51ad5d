package dialer

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// dialAttempt is one attempt in progress.
type dialAttempt struct {
	Dependencies
	call call.Call
	log  *slog.Logger

	incoming carrier.IncomingCall      // that is answered; nil for an outbound call
	given    *scenario.Scenario        // of a trial; nil: the call's
	watch    TalkObserver              // of a trial
	rung     *callrules.TransferTarget // who is called for a trial; nil: the call's number
	follows  *call.FollowedCall        // by an inbound call; nil: none
	closed   string                    // spoken instead of the scenario; empty: the scenario is run

	trace       *carrier.TraceRecorder // of the line; nil: nothing is recorded
	staffLegs   atomic.Int32           // calls to members of staff so far
	staff       *waitingStaff          // of a call-back, from their answer on; else nil
	scenario    scenario.Scenario
	rules       callrules.CallRules
	shown       string // the number that the call showed; empty: not known
	stop        *stopRequest
	dialled     bool               // the person was called
	notAccepted *carrier.DialError // the carrier accepted no call: not counted as an attempt
	endedBefore bool               // it was ended before it was dialled, and has its outcome
}

// runAttempt makes the attempt; a panic becomes an internal failure.
func (a *dialAttempt) runAttempt(ctx context.Context) (talk TalkResult) {
	err := recovery.RecoverPanic(func() error {
		talk = a.makeAttempt(ctx)
		return nil
	})
	if err != nil {
		a.log.Error("panic in a dial attempt", "err", err)
		return failedResult(call.InternalFail)
	}
	return talk
}

// makeAttempt loads the scenario and the rules, dials, and runs the conversation.
func (a *dialAttempt) makeAttempt(ctx context.Context) TalkResult {
	if reason := a.loadContext(ctx); reason != "" {
		return failedResult(reason)
	}
	over := a.watchStop(ctx)
	defer over()
	if reason := a.confirmCall(ctx); reason != "" {
		return failedResult(reason)
	}
	if a.call.IsCallBack() {
		return a.makeCallBack(ctx)
	}
	line, err := a.dialLine(ctx)
	if err != nil {
		return a.outcomeUnanswered(ctx, err)
	}
	return a.holdConversation(ctx, line)
}

// loadContext reads scenario and rules again, since they may have changed after the release. It waits for an
// unreachable database: the call was not dialled yet.
func (a *dialAttempt) loadContext(ctx context.Context) call.FailureReason {
	err := a.readContext(ctx)
	if store.CodeOf(err) == store.CodeUnavailable {
		err = a.retryUntilStored(ctx, a.readContext)
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

// readContext reads scenario and rules, and the call that an inbound one follows up.
func (a *dialAttempt) readContext(ctx context.Context) (err error) {
	if a.scenario, err = a.readScenario(ctx); err != nil {
		return err
	}
	if a.rules, err = a.Store.FindRules(ctx, a.call.OrgID); err != nil {
		return err
	}
	if a.closed == "" { // the closed line asks nothing
		a.follows, err = a.Store.FindFollowed(ctx, a.call)
	}
	return err
}

// confirmCall reads the call right before dialling: during an outage, or while this machine was suspended, another
// appliance may have ended it, and it must not be dialled then. It also finds an earlier hang-up request.
func (a *dialAttempt) confirmCall(ctx context.Context) call.FailureReason {
	err := a.retryUntilStored(ctx, func(ctx context.Context) error {
		kept, err := a.Store.FindCall(ctx, a.call.OrgID, a.call.ID)
		switch {
		case store.CodeOf(err) == store.CodeUnavailable:
			return err
		case store.CodeOf(err) == store.CodeNotFound, err == nil && kept.Status != call.Dialing:
			a.endedBefore = true
		case err != nil:
			a.log.Warn("a call cannot be read before it is dialled", "err", err)
		case kept.HangupAt != nil:
			a.stop.requestStop(call.Operator)
		}
		return nil
	})
	if err != nil || a.endedBefore {
		return call.Interrupted
	}
	return ""
}

// dialLine dials and waits for an answer, until the ring timeout or a stop request. It does not dial after an earlier
// stop request.
func (a *dialAttempt) dialLine(ctx context.Context) (carrier.Line, error) {
	if err := a.stop.ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.stop.ctx, cancel)() //nolint:contextcheck // the attempt's own end
	if a.incoming != nil {
		a.log.Info("an inbound call is answered")
		return a.incoming.Answer(ctx)
	}
	ring := time.Duration(a.scenario.RingSeconds) * time.Second
	if ring <= 0 {
		ring = scenario.DefaultRing
	}
	a.dialled = true
	a.log.Info("call is dialled", "attempt", a.call.Attempt.Number)
	r := carrier.DialRequest{
		CallID: a.call.ID, Number: a.call.PhoneNumber, Ring: ring, Attempt: a.call.Attempt.Number,
		Caller: a.callerFor(a.call.PhoneNumber), OrgID: a.call.OrgID, Trace: a.trace, Trunk: a.call.Trunk,
		Shown: func(number string) { a.shown = number },
	}
	if a.rung != nil {
		r.Number, r.Address, r.Caller = a.rung.Number, sipAddress(*a.rung), a.callerFor(a.rung.Number)
	}
	return a.Carrier.Dial(ctx, r)
}

// callerFor returns the number that a call to a person is to show; empty: the trunk's.
func (a *dialAttempt) callerFor(person string) string {
	return cmp.Or(a.call.CallerNumber, a.rules.CallerFor(a.call.OrgID, person))
}

// holdConversation runs the conversation on an answered line and returns its outcome.
func (a *dialAttempt) holdConversation(ctx context.Context, line carrier.Line) TalkResult {
	defer line.Hangup()
	tape := a.recordLine(line)
	recording := tape.name
	if a.rules.Redact {
		recording = "" // of a call that runs, or whose appliance crashes, nothing is silenced yet
	}
	kept := a.keepAnswer(ctx, recording)
	talk, err := a.converseSafely(ctx, tape)
	why := a.stop.settleReason()
	line.Hangup()

	talk.Outcome = a.judgeOutcome(talk.Outcome, err, why, tape)
	a.noteClosed(&talk.Outcome)
	talk.Outcome.Duration = tape.durationSeconds()
	if measured, ok := line.(carrier.MeasuredLine); ok {
		facts := measured.Measure()
		talk.Outcome.Line = &facts
	}
	if a.rules.Redact {
		if err != nil && len(talk.Outcome.Messages) == 0 {
			talk.Unrecognized = []call.SoundSpan{{To: tape.lineTime().Seconds()}} // a panic left no transcript
		}
		tape.redactSound(talk.Outcome.Messages, talk.Unrecognized)
	}
	talk.Outcome.Recording, talk.Outcome.RecordingSum, err = tape.closeRecording()
	if a.NoteRecorded != nil && (tape.name != "" || err != nil) {
		a.NoteRecorded(err)
	}
	if err != nil {
		a.log.Error("a recording is incomplete", "err", err)
		talk.Outcome.Errors = append(talk.Outcome.Errors, call.CallError{
			Code: "recording_failed", Message: "The recording could not be written to its end.", At: tape.lineTime().Seconds(),
		})
	}
	<-kept
	return talk
}

// converseSafely runs the conversation; a panic becomes an error.
func (a *dialAttempt) converseSafely(ctx context.Context, line *recordedLine) (talk TalkResult, err error) {
	err = recovery.RecoverPanic(func() (err error) {
		talk, err = a.handOverLine(ctx, line)
		return err
	})
	return talk, err
}

// handOverLine passes the line to the conversation. When the attempt is stopped the line is hung up, so that the
// conversation can return its results; its context is only cancelled if it does not end within the timeout (graceful
// shutdown).
func (a *dialAttempt) handOverLine(ctx context.Context, line *recordedLine) (TalkResult, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(a.stop.ctx, func() { //nolint:contextcheck // the attempt's own end
		line.Hangup()
		time.AfterFunc(a.stop.endTimeout(), cancel)
	})()
	line.noteFrame()
	a.stop.startTalking(line)
	in := ConversationInput{
		Call: a.call, Scenario: a.spokenScenario(), Rules: a.rules, Recorded: line.name != "", Line: line,
		LimitLine: line.limitLine, Watch: a.watch,
		Follows: a.follows,
	}
	if !a.call.Trial {
		in.DialStaff = a.dialStaff
	}
	if a.staff != nil {
		in.Joined = a.staff.join()
	}
	return a.Talker.Converse(ctx, in)
}
