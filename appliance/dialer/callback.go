package dialer

import (
	"context"
	"errors"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/appliance/conversation"
	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// callBackRing is how long a member of staff is rung, who has just asked for the call.
const callBackRing = 30 * time.Second

// callBackScenario stands for the scenario of a call-back: nobody is asked anything, and no machine is looked for,
// since a member of staff listens.
func callBackScenario() scenario.Scenario {
	return scenario.Scenario{
		ID: call.CallBackScenario, Name: call.CallBackScenario, Language: "ar", AnsweringMachine: scenario.MachineOff,
		Steps: []scenario.FlowStep{{ID: "end", Type: scenario.End}},
	}
}

// makeCallBack calls the member of staff, then the person, and joins both. Staff hear the hold tone while the
// person's telephone rings; if they hang up, the call to the person ends.
func (a *dialAttempt) makeCallBack(ctx context.Context) TalkResult {
	to, err := callrules.ParseTransfer(a.call.Staff)
	if err != nil {
		return failedResult(call.InternalFail)
	}
	line, err := a.dialStaff(ctx, conversation.StaffDial{To: to, Ring: callBackRing})
	if err != nil {
		return a.outcomeStaffUnreached(ctx, err)
	}
	defer line.Hangup()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if why := a.noteDialPerson(ctx); why != "" {
		return failedResult(why)
	}
	a.staff = letWait(ctx, line, a.call.Staff, func() { a.stop.requestStop(call.Operator) })
	defer a.staff.stop()
	person, err := a.dialLine(ctx)
	if err != nil {
		return a.outcomeUnanswered(ctx, err)
	}
	return a.holdConversation(ctx, person)
}

// noteDialPerson stores that the person is called now, so that it counts as an attempt even after a crash. It waits for
// an unreachable database, while the member of staff waits. A reason says why the person is not called.
func (a *dialAttempt) noteDialPerson(ctx context.Context) (forbidden call.FailureReason) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.stop.ctx, cancel)() //nolint:contextcheck // the attempt's own end
	err := a.retryUntilStored(ctx, func(ctx context.Context) (err error) {
		forbidden, err = a.Store.DialPerson(ctx, a.call.OrgID, a.call.ID, time.Now())
		return err
	})
	switch {
	case err == nil:
		return forbidden
	case store.CodeOf(err) == store.CodeConflict:
		a.endedBefore = true
	default:
		a.log.Error("a call-back could not be stored: the person is not called", "err", err)
	}
	return call.Interrupted
}

// outcomeStaffUnreached returns the outcome of a call-back whose member of staff was not reached: why their leg failed,
// which says nothing about the person.
func (a *dialAttempt) outcomeStaffUnreached(ctx context.Context, err error) TalkResult {
	if ctx.Err() != nil {
		a.stop.requestStop(call.Interrupted)
	}
	if why := a.stop.settleReason(); why != "" {
		return a.outcomeUnanswered(ctx, err)
	}
	talk := failedResult(call.StaffUnreached)
	var refusal *carrier.DialError
	switch {
	case errors.Is(err, conversation.ErrStaffForbidden), errors.Is(err, errNoStaffLine):
		talk.Outcome.Failure.Reason = call.CallBackLate
	case errors.As(err, &refusal):
		_, failure := carrier.ClassifyRefusal(refusal)
		talk.Outcome.Failure.SIPCode, talk.Outcome.Failure.Q850Cause = failure.SIPCode, failure.Q850Cause
		if failure.Reason == call.NoCarrier {
			talk.Outcome.Failure.Reason, talk.Outcome.EndedBy = call.NoCarrier, call.ByCarrier
		}
	}
	return talk
}

// waitingStaff is a member of staff who hears the hold tone until the person answers.
type waitingStaff struct {
	line  carrier.Line
	to    string
	stop  func() // ends the wait, after which the line may be used; idempotent
	ended <-chan struct{}
}

// letWait reads the line of a member of staff and plays the hold tone on it; left is called when they hang up.
func letWait(ctx context.Context, line carrier.Line, to string, left func()) *waitingStaff {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = recovery.RecoverPanic(func() error {
			var tone bridge.HoldTone
			for {
				tone.PlayOn(line)
				if _, err := line.Next(ctx); err != nil {
					if ctx.Err() == nil {
						left()
					}
					return nil
				}
			}
		})
	}()
	return &waitingStaff{line: line, to: to, ended: ended, stop: sync.OnceFunc(func() {
		cancel()
		<-ended
	})}
}

// join ends the wait and returns the member of staff for the conversation.
func (w *waitingStaff) join() *conversation.JoinedStaff {
	w.stop()
	w.line.Flush()
	return &conversation.JoinedStaff{Line: w.line, To: w.to}
}
