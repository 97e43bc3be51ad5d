// Package dialer makes one attempt: it dials a call that was released, has the conversation held, records it, and writes
// down how it ended.
//
// Whatever happens, the call gets an outcome: a panic in a conversation, a database that is away for a while, a person
// who hangs the call up, a shutdown. Only a crash leaves a call running; the scheduler rescues it at the next start.
//
// It knows carriers, recordings and the store; neither when calls are due nor what is said in them. Time on a simulated
// line is the line's own: durations and the longest duration are counted in frames there, and by the clock on a real one,
// where a listener who is late would count too little.
package dialer

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/carrier"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// ConversationInput is what is needed to hold one.
type ConversationInput struct {
	Call     call.Call
	Scenario scenario.Scenario
	Rules    callrules.CallRules
	Recorded bool // a recording is being made
	// Line is answered. It is hung up from outside when a person asks for it, at a shutdown, and shortly after the
	// scenario's longest duration: Next then fails with [carrier.ErrHungUp].
	Line carrier.Line
}

// TalkResult is what came of one. The dialler itself sets the outcome's duration and recording.
type TalkResult struct {
	Outcome  call.CallOutcome
	Suppress *callrules.SuppressionEntry // the person asked not to be called again
}

// Conversationalist holds conversations. An error ends the call as failed, and what the Talk holds is kept: as a failure of the
// carrier if it is a [*carrier.DialError], else as an internal one.
type Conversationalist interface {
	Converse(ctx context.Context, c ConversationInput) (TalkResult, error)
}

// DialerStore is what the dialler needs of it.
type DialerStore interface {
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
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
	Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
}

// Dependencies is what a dialler works with.
type Dependencies struct {
	Carrier    carrier.Carrier
	Store      DialerStore
	Scenarios  ScenarioFinder
	Talker     Conversationalist
	Recordings RecordingStore // see [InFolder]
	Log        *slog.Logger
}

// CallDialer makes attempts. It is safe for concurrent use.
type CallDialer struct{ deps Dependencies }

// NewDialer makes a dialler.
func NewDialer(deps Dependencies) *CallDialer { return &CallDialer{deps} }

// Run dials a released call and returns when its outcome is kept, or when it was put back among the scheduled calls since
// the carrier takes none. When ctx ends the call is ended as interrupted. The
// error says that the outcome could not be kept, which leaves the call to be rescued.
func (d *CallDialer) Run(ctx context.Context, c call.Call) error {
	a := &dialAttempt{Dependencies: d.deps, call: c, log: d.deps.Log.With("call_id", c.ID, "org", c.OrgID), stop: newStop()}
	talk := a.runAttempt(ctx)
	if a.again != nil && a.giveBack(ctx) {
		return nil
	}
	return a.storeOutcome(ctx, talk)
}
