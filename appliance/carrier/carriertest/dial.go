package carriertest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// dialRefused dials a number that is not answered and returns the refusal.
func dialRefused(t *testing.T, c carrier.Carrier, r carrier.DialRequest) *carrier.DialError {
	t.Helper()
	line, err := c.Dial(t.Context(), r)
	if err == nil {
		line.Hangup()
		t.Fatal("it was answered")
	}
	var refusal *carrier.DialError
	if !errors.As(err, &refusal) {
		t.Fatalf("Dial = %v, want a Refusal", err)
	}
	return refusal
}

// checkOutcome checks the classification of a refusal.
func checkOutcome(t *testing.T, r *carrier.DialError, status call.CallStatus, reason call.FailureReason) {
	t.Helper()
	gotStatus, failure := carrier.ClassifyRefusal(r)
	if gotStatus != status || failure.Reason != reason {
		t.Errorf("%v is %s (%s), want %s (%s)", r, gotStatus, failure.Reason, status, reason)
	}
}

func testRingTimeout(t *testing.T, c carrier.Carrier, number string) {
	rang := 0
	r := newDialRequest(number)
	r.Ring, r.Ringing = 2*time.Second, func() { rang++ }
	refusal := dialRefused(t, c, r)
	if !refusal.RingTimeout || !refusal.Rang || rang != 1 {
		t.Errorf("%+v after Ringing was called %d times", refusal, rang)
	}
	checkOutcome(t, refusal, call.NoAnswer, call.RingTimeout)
}

func testCancelledDial(t *testing.T, c carrier.Carrier, number string) {
	ctx, cancel := context.WithCancel(t.Context())
	r := newDialRequest(number)
	r.Ringing = cancel
	line, err := c.Dial(ctx, r)
	if err == nil {
		line.Hangup()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v, want the context's error", err)
	}
	if _, ok := errors.AsType[*carrier.DialError](err); ok {
		t.Errorf("Dial = %v: giving up is no refusal", err)
	}
}

func testDeclined(t *testing.T, c carrier.Carrier, number string) {
	checkOutcome(t, dialRefused(t, c, newDialRequest(number)), call.UserRejected, call.Declined)
}

func testUnavailable(t *testing.T, c carrier.Carrier, number string) {
	checkOutcome(t, dialRefused(t, c, newDialRequest(number)), call.UserUnavailable, call.Unavailable)
}

func testBusy(t *testing.T, c carrier.Carrier, number string) {
	checkOutcome(t, dialRefused(t, c, newDialRequest(number)), call.UserRejected, call.Busy)
}

func testBroken(t *testing.T, c carrier.Carrier, number string) {
	refusal := dialRefused(t, c, newDialRequest(number))
	if refusal.SIPCode != nil || refusal.Err == nil {
		t.Errorf("%+v, want the transport's failure and no status", refusal)
	}
	checkOutcome(t, refusal, call.Failed, call.NoCarrier)
}

func testManyLines(t *testing.T, c carrier.Carrier, number string) {
	var all sync.WaitGroup
	for range min(8, c.Lines()) {
		all.Go(func() {
			line, err := c.Dial(t.Context(), newDialRequest(number))
			if err != nil {
				t.Error(err)
				return
			}
			defer line.Hangup()
			line.Say(carrier.Speech{PCM: makeRamp(1, 800)})
			for i := range 50 {
				f, err := line.Next(t.Context())
				if err != nil || f.At != time.Duration(i)*carrier.Tick {
					t.Errorf("frame %d: at %v, %v", i, f.At, err)
					return
				}
			}
		})
	}
	all.Wait()
}
