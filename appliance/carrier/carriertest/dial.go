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

// refused dials a number that is not answered and returns the evidence.
func refused(t *testing.T, c carrier.Carrier, r carrier.Request) *carrier.Refusal {
	t.Helper()
	line, err := c.Dial(t.Context(), r)
	if err == nil {
		line.Hangup()
		t.Fatal("it was answered")
	}
	var refusal *carrier.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("Dial = %v, want a Refusal", err)
	}
	return refusal
}

// outcome checks what a refusal is classified as.
func outcome(t *testing.T, r *carrier.Refusal, status call.Status, reason call.Reason) {
	t.Helper()
	gotStatus, failure := carrier.Classify(r)
	if gotStatus != status || failure.Reason != reason {
		t.Errorf("%v is %s (%s), want %s (%s)", r, gotStatus, failure.Reason, status, reason)
	}
}

func ringsOut(t *testing.T, c carrier.Carrier, number string) {
	rang := 0
	r := request(number)
	r.Ring, r.Ringing = 2*time.Second, func() { rang++ }
	refusal := refused(t, c, r)
	if !refusal.RingTimeout || !refusal.Rang || rang != 1 {
		t.Errorf("%+v after Ringing was called %d times", refusal, rang)
	}
	outcome(t, refusal, call.NoAnswer, call.RingTimeout)
}

func givenUp(t *testing.T, c carrier.Carrier, number string) {
	ctx, cancel := context.WithCancel(t.Context())
	r := request(number)
	r.Ringing = cancel
	line, err := c.Dial(ctx, r)
	if err == nil {
		line.Hangup()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v, want the context's error", err)
	}
	var refusal *carrier.Refusal
	if errors.As(err, &refusal) {
		t.Errorf("Dial = %v: giving up is no refusal", err)
	}
}

func declined(t *testing.T, c carrier.Carrier, number string) {
	outcome(t, refused(t, c, request(number)), call.UserRejected, call.Declined)
}

func unavailable(t *testing.T, c carrier.Carrier, number string) {
	outcome(t, refused(t, c, request(number)), call.UserUnavailable, call.Unavailable)
}

func busy(t *testing.T, c carrier.Carrier, number string) {
	outcome(t, refused(t, c, request(number)), call.UserRejected, call.Busy)
}

func broken(t *testing.T, c carrier.Carrier, number string) {
	refusal := refused(t, c, request(number))
	if refusal.SIPCode != nil || refusal.Err == nil {
		t.Errorf("%+v, want the transport's failure and no status", refusal)
	}
	outcome(t, refusal, call.Failed, call.NoCarrier)
}

func manyLines(t *testing.T, c carrier.Carrier, number string) {
	var all sync.WaitGroup
	for range min(8, c.Lines()) {
		all.Go(func() {
			line, err := c.Dial(t.Context(), request(number))
			if err != nil {
				t.Error(err)
				return
			}
			defer line.Hangup()
			line.Say(carrier.Speech{PCM: ramp(1, 800)})
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
