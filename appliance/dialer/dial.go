// Package dialer makes one call attempt: it dials a released call, or answers one that comes in, runs the conversation
// on the answered line, records it and stores the outcome.
//
// Every attempt gets an outcome: after a panic in the conversation, a database outage, a requested hang-up or a
// shutdown. Only a crash of the process leaves a call running; the scheduler rescues it at the next start.
//
// It depends on carriers, recordings and the store; scheduling and the conversation itself are elsewhere. Durations,
// the maximum duration included, are counted in audio frames on a simulated line, and by the wall clock on a real one,
// where a slow reader would count too few frames.
package dialer

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// ConversationInput is the input of a conversation.
type ConversationInput struct {
	Call     call.Call
	Scenario scenario.Scenario
	Rules    callrules.CallRules
	Recorded bool               // the call is recorded
	Follows  *call.FollowedCall // by an inbound call; nil: none
	// Line is answered. It is hung up from outside on a requested hang-up, at shutdown, and shortly after the
	// scenario's maximum duration: Next then fails with [carrier.ErrHungUp].
	Line carrier.Line
	// Joined is the member of staff of a call-back; nil: the scenario is run.
	Joined *conversation.JoinedStaff
	// LimitLine sets how long the line may be up from now on, before it is hung up.
	LimitLine func(time.Duration)
	// DialStaff calls a member of staff who is to take the call over; nil for a trial, which rings nobody.
	DialStaff func(ctx context.Context, d conversation.StaffDial) (carrier.Line, error)
	Watch     TalkObserver // of a trial
}

// TalkObserver is told what happens in a trial, on one goroutine. Each may be nil.
type TalkObserver struct {
	OnMessage func(call.Message)
	OnPartial func(text string)
	OnSlot    func(name string, value any)
	OnStep    func(id string)
}

// TalkResult is the result of a conversation. The dialer adds duration and recording to the outcome.
type TalkResult struct {
	Outcome  call.CallOutcome
	Suppress *callrules.SuppressionEntry // the person asked not to be called again (opt-out)
	// Unrecognized are the spans without a transcript: the person spoke with staff, or the recognizer failed.
	Unrecognized []call.SoundSpan
}

// Conversationalist runs conversations. An error ends the call as failed, as a carrier failure if it is a
// [*carrier.DialError], otherwise as an internal one; the TalkResult is stored in any case.
type Conversationalist interface {
	Converse(ctx context.Context, c ConversationInput) (TalkResult, error)
}

// DialerStore is the part of the store that the dialer uses.
type DialerStore interface {
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	FindFollowed(ctx context.Context, c call.Call) (*call.FollowedCall, error)
	DialPerson(ctx context.Context, orgID, id string, now time.Time) (call.FailureReason, error)
	AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error)
	ReturnCall(ctx context.Context, orgID, id string, at time.Time, why string, now time.Time) (call.Call, error)
	FinishCall(
		ctx context.Context, orgID, id string, o call.CallOutcome, suppress *callrules.SuppressionEntry, now time.Time,
	) (call.Call, error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
}

// ScenarioFinder finds an organization's scenario, built-in ones included. [store.CodeNotFound] without one.
type ScenarioFinder interface {
	// ScenarioVersion finds a version of it; the current one if that is not kept, or if booked calls follow it
	// ([scenario.Scenario.UpdateBookedCalls]).
	ScenarioVersion(ctx context.Context, orgID, id string, version int) (scenario.Scenario, error)
}

// Dependencies are the dependencies of a dialer.
type Dependencies struct {
	Carrier    carrier.Carrier
	Store      DialerStore
	Scenarios  ScenarioFinder
	Talker     Conversationalist
	Recordings RecordingStore // see [KeptIn]
	// NoteRecorded, unless nil, is called at the end of each conversation that is recorded, with the error of it.
	NoteRecorded func(err error)
	// HoldLine holds a line for a call to a member of staff, until it is freed; the error says why there is none. nil:
	// the carrier alone limits them.
	HoldLine func(orgID, number string) (free func(), err error)
	// HearAnnouncement, unless nil, returns what an operator's announcement in the early media of an unanswered call
	// says; empty: nothing that is known.
	HearAnnouncement func(ctx context.Context, sound []int16) (call.FailureReason, error)
	// WatchSignalling, unless nil, is called with the SIP messages of a call as they come and go; it must not block.
	WatchSignalling func(c call.Call, m call.SIPMessage)
	Log             *slog.Logger
}

// CallDialer makes call attempts. It is safe for concurrent use.
type CallDialer struct{ deps Dependencies }

// NewDialer creates a dialer.
func NewDialer(deps Dependencies) *CallDialer { return &CallDialer{deps} }

// Run dials a released call and returns when its outcome is stored, or when the call was requeued because the carrier
// accepts no calls. When ctx ends the call is ended as interrupted. An error says that the outcome could not be stored;
// the call is then rescued at the next start.
func (d *CallDialer) Run(ctx context.Context, c call.Call) error { return d.newAttempt(c).run(ctx) }

// Receive answers a call that rings here, and returns when its outcome is stored. With closed, this text is spoken
// instead of the scenario (calling hours). When ctx ends the call is ended as interrupted.
func (d *CallDialer) Receive(ctx context.Context, c call.Call, in carrier.IncomingCall, closed string) error {
	a := d.newAttempt(c)
	a.incoming, a.closed = in, closed
	defer in.Refuse(carrier.RefuseUnavailable) // unless it was answered
	return a.run(ctx)
}

// Try holds a trial (see [call.NewTrial]) of a scenario over a line, by the organization's rules for calls, and returns
// it once its outcome is stored.
func (d *CallDialer) Try(
	ctx context.Context, c call.Call, s scenario.Scenario, line carrier.Line, watch TalkObserver,
) (call.Call, error) {
	a := d.newAttempt(c)
	a.incoming, a.given, a.watch = triedLine{line}, &s, watch
	if err := a.run(ctx); err != nil {
		return c, err
	}
	return d.deps.Store.FindCall(context.WithoutCancel(ctx), c.OrgID, c.ID)
}

// RingTrial holds a trial of a scenario over a call to a member of staff, and returns when its outcome is stored.
// Whether they may be called, and the line, are the caller's.
func (d *CallDialer) RingTrial(
	ctx context.Context, c call.Call, s scenario.Scenario, to callrules.TransferTarget,
) error {
	a := d.newAttempt(c)
	a.given, a.rung = &s, &to
	return a.run(ctx)
}

func (d *CallDialer) newAttempt(c call.Call) *dialAttempt {
	return &dialAttempt{
		Dependencies: d.deps,
		call:         c,
		log:          d.deps.Log.With("call_id", c.ID, "org", c.OrgID),
		stop:         newStop(),
	}
}

// run makes the attempt and stores its outcome.
func (a *dialAttempt) run(ctx context.Context) error {
	a.beginTrace()
	talk := a.runAttempt(ctx)
	talk.Outcome.Trace = a.finishTrace(ctx)
	if a.endedBefore {
		a.log.Warn("a call was ended before it was dialled, by another appliance: it is not dialled")
		return nil
	}
	talk.Outcome.ScenarioVersion, talk.Outcome.ShownNumber = a.scenario.Version, a.shown
	talk.Outcome.NotDialled = a.call.IsCallBack() && (!a.dialled || a.notAccepted != nil)
	isWaitedFor := a.call.IsCallBack() || a.call.Trial // by a person at a telephone: now or never
	if a.notAccepted != nil && !isWaitedFor && a.requeueCall(ctx) {
		return nil
	}
	// A hang-up was requested during the requeue: no retry.
	if a.notAccepted != nil && !isWaitedFor && a.isHangupAsked(ctx) {
		talk = failedResult(call.Operator)
		talk.Outcome.EndedBy = call.ByOperator
	}
	return a.storeOutcome(ctx, talk)
}
