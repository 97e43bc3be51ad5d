package carrier

import (
	"errors"
	"fmt"
	"time"

	"munadi/store/call"
)

// ErrHungUp is returned by a line that our side has ended.
var ErrHungUp = errors.New("we hung up")

// DialError is a dial that was not answered, or a line that broke, with the evidence that the network gave.
type DialError struct {
	RingTimeout bool  // our own limit ended the ringing, or without Rang the wait for it
	Rang        bool  // it rang before it was refused
	SIPCode     *int  // final answer; nil without one
	Q850        *int  // cause of a Reason header; nil without one
	Err         error // transport or protocol failure; nil without one
	// Line is what was measured until then; nil where nothing was.
	Line *call.LineFacts
	// RetryAfter says that the carrier takes no calls for now and that no telephone rang: the dial counts as none, and may
	// be made again after that time. 0: the refusal is the call's outcome.
	RetryAfter time.Duration
}

// Error says what is known, without the number.
func (r *DialError) Error() string {
	switch {
	case r.RingTimeout && r.Rang:
		return "nobody answered in time"
	case r.RingTimeout:
		return "the carrier took the call, and it did not ring"
	case r.Q850 != nil:
		return fmt.Sprintf("refused with Q.850 cause %d", *r.Q850)
	case r.SIPCode != nil:
		return fmt.Sprintf("refused with SIP status %d", *r.SIPCode)
	case r.Err != nil:
		return "no answer from the carrier: " + r.Err.Error()
	default:
		return "no answer from the carrier"
	}
}

// Unwrap is the transport's failure.
func (r *DialError) Unwrap() error { return r.Err }
