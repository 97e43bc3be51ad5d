package carrier

import (
	"context"
	"errors"
)

// IncomingCall is a call that rings here and is not answered yet. It is safe for concurrent use.
type IncomingCall interface {
	// Called returns the numbers that the caller may have dialled, in E.164, the likeliest first.
	Called() []string
	// Caller returns the caller's number as the network gave it, in any form; empty if it is withheld or not known.
	Caller() string
	// Ring tells the caller that it rings.
	Ring()
	// Answer answers the call. [ErrCallerGone] if the caller hung up before, a [*DialError] if no line came about.
	Answer(ctx context.Context) (Line, error)
	// Refuse ends the call; after an answer, or another refusal, it does nothing.
	Refuse(why Refusal)
}

// TracedCall is an inbound call whose signalling and quality are recorded.
type TracedCall interface {
	// Trace returns the recorder of the call.
	Trace() *TraceRecorder
}

// ErrCallerGone means that the caller hung up before the answer.
var ErrCallerGone = errors.New("the caller hung up before the answer")

// Refusal is why an inbound call is not answered; its value is the SIP status.
type Refusal int

// The refusals.
const (
	RefuseUnrouted    Refusal = 404 // no route has the number
	RefuseUnavailable Refusal = 480 // the call cannot be held
	RefuseBusy        Refusal = 486 // all lines of the route, or of the organization, are in use
	RefuseOverload    Refusal = 503 // all lines of the appliance are in use, or it is not ready
)

// Receiver takes the calls that come in, and returns when the call has ended.
type Receiver func(ctx context.Context, in IncomingCall)
