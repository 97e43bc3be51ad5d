// Package dial makes one attempt: it dials a call that was released, has the conversation held, records it, and writes
// down how it ended.
//
// Whatever happens, the call gets an outcome: a panic in a conversation, a database that is away for a while, a person
// who hangs the call up, a shutdown. Only a crash leaves a call running; the scheduler rescues it at the next start.
//
// It knows carriers, recordings and the store; neither when calls are due nor what is said in them. Time on a line is
// the line's own, so durations and the longest duration are counted in frames, never by the clock.
package dial

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/carrier"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/scenario"
)

// Conversation is what is needed to hold one.
type Conversation struct {
	Call     call.Call
	Scenario scenario.Scenario
	Rules    dialling.Rules
	Recorded bool // a recording is being made
	// Line is answered. It is hung up from outside when a person asks for it, at a shutdown, and shortly after the
	// scenario's longest duration: Next then fails with [carrier.ErrHungUp].
	Line carrier.Line
}

// Talk is what came of one. The dialler itself sets the outcome's duration and recording.
type Talk struct {
	Outcome  call.Outcome
	Suppress *dialling.Suppression // the person asked not to be called again
}

// Talker holds conversations. An error ends the call as failed, and what the Talk holds is kept: as a failure of the
// carrier if it is a [*carrier.Refusal], else as an internal one.
type Talker interface {
	Converse(ctx context.Context, c Conversation) (Talk, error)
}

// Store is what the dialler needs of it.
type Store interface {
	Call(ctx context.Context, orgID, id string) (call.Call, error)
	AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error)
	ReturnCall(ctx context.Context, orgID, id string, at time.Time, why string, now time.Time) (call.Call, error)
	FinishCall(
		ctx context.Context, orgID, id string, o call.Outcome, suppress *dialling.Suppression, now time.Time,
	) (call.Call, error)
	Rules(ctx context.Context, orgID string) (dialling.Rules, error)
	Watch(kind store.Kind) (woken <-chan struct{}, stop func())
}

// Scenarios finds an organization's scenario, built-in ones included. [store.CodeNotFound] without one.
type Scenarios interface {
	Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
}

// Deps is what a dialler works with.
type Deps struct {
	Carrier    carrier.Carrier
	Store      Store
	Scenarios  Scenarios
	Talker     Talker
	Recordings Recordings // see [InFolder]
	Log        *slog.Logger
}

// Dialer makes attempts. It is safe for concurrent use.
type Dialer struct{ deps Deps }

// New makes a dialler.
func New(deps Deps) *Dialer { return &Dialer{deps} }

// Run dials a released call and returns when its outcome is kept, or when it was put back among the scheduled calls since
// the carrier takes none. When ctx ends the call is ended as interrupted. The
// error says that the outcome could not be kept, which leaves the call to be rescued.
func (d *Dialer) Run(ctx context.Context, c call.Call) error {
	a := &attempt{Deps: d.deps, call: c, log: d.deps.Log.With("call_id", c.ID, "org", c.OrgID), stop: newStop()}
	talk := a.run(ctx)
	if a.again != nil && a.giveBack(ctx) {
		return nil
	}
	return a.finish(ctx, talk)
}
