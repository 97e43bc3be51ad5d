package carrier

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"munadi/store/call"
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

// ErrHungUp is returned by a line after our own Hangup.
var ErrHungUp = errors.New("we hung up")

// ErrNoAudio is wrapped by the [DialError] of a line that ended because no audio came from the remote side.
var ErrNoAudio = errors.New("no audio")

// ErrNoTransfer is wrapped by the error of a transfer that the trunk does not carry out, whoever its target is.
var ErrNoTransfer = errors.New("the trunk does not transfer calls")

// DialError is an unanswered dial, or a broken line, with the evidence from the network.
type DialError struct {
	RingTimeout bool   // our ring timeout, or without Rang our setup timeout
	Rang        bool   // it rang before the refusal
	SIPCode     *int   // final response; nil without one; 2xx: an answer that Err says we cannot use
	Phrase      string // reason phrase of the final response, without numbers
	Q850        *int   // cause of a Reason header; nil without one
	Err         error  // transport or protocol error; nil without one
	// Line are the measurements up to the refusal; nil without any.
	Line *call.LineFacts
	// Early is the sound before the refusal (early media), its last 20 s at most, at [Rate]; nil without any. Announced is
	// what an announcement in it says; empty: nothing that is known.
	Early     []int16
	Announced call.FailureReason
	// Hold is the response's Retry-After: until then the carrier does not want this number again. 0 without one.
	Hold time.Duration
	// RetryAfter says that the carrier accepts no calls now and no telephone rang: the dial does not count as an
	// attempt, and may be repeated after this time. 0: the refusal is the call's outcome.
	RetryAfter time.Duration
}

// Error describes the refusal, without the number.
func (r *DialError) Error() string {
	switch {
	case r.RingTimeout && r.Rang:
		return "no answer in time"
	case r.RingTimeout:
		return "the carrier took the call, and it did not ring"
	case r.Q850 != nil:
		return fmt.Sprintf("refused with Q.850 cause %d", *r.Q850)
	case r.SIPCode != nil && IsSuccess(*r.SIPCode):
		return r.Err.Error()
	case r.SIPCode != nil:
		return strings.TrimSpace(fmt.Sprintf("refused with SIP status %d %s", *r.SIPCode, r.Phrase))
	case errors.Is(r.Err, ErrNoAudio):
		return r.Err.Error()
	case r.Err != nil:
		return "the carrier did not take the call: " + r.Err.Error()
	default:
		return "no answer from the carrier"
	}
}

// Unwrap returns the transport error.
func (r *DialError) Unwrap() error { return r.Err }
