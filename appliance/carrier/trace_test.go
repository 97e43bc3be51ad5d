package carrier_test

import (
	"context"
	"strconv"
	"testing"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// TestTraceIsBounded checks that a flood of messages leaves the first and the last ones and the count of the others,
// and that repeated messages are counted as one.
func TestTraceIsBounded(t *testing.T) {
	t.Parallel()
	watched := 0
	r := &carrier.TraceRecorder{}
	r.WatchMessages(func(call.SIPMessage) { watched++ })
	for range 3 {
		r.AddMessage(call.SIPMessage{Sent: true, Line: "INVITE sip:a SIP/2.0"})
	}
	const flood = 10_000
	for i := range flood {
		r.AddMessage(call.SIPMessage{Line: "SIP/2.0 183 Session Progress", Headers: []string{"RSeq: " + strconv.Itoa(i)}})
	}
	got := r.FinishTrace(t.Context())
	if n := len(got.Messages); n > 100 || n+got.Omitted != flood+1 || watched != n {
		t.Errorf("%d messages are kept, %d omitted, %d shown", n, got.Omitted, watched)
	}
	if first := got.Messages[0]; first.Repeats != 2 || !first.Sent {
		t.Errorf("the first one is %+v", first)
	}
	if last := got.Messages[len(got.Messages)-1]; last.Headers[0] != "RSeq: 9999" {
		t.Errorf("the last one is %+v", last)
	}
}

// TestTraceWaitsForExchanges checks that the end waits for the response to a BYE, but not beyond its context, and that
// nothing is recorded afterwards.
func TestTraceWaitsForExchanges(t *testing.T) {
	t.Parallel()
	r := &carrier.TraceRecorder{}
	finished := 0
	r.OnFinish(func() { finished++ })
	end := r.BeginExchange()
	go func() {
		r.AddMessage(call.SIPMessage{Line: "SIP/2.0 200 OK"})
		end()
		end()
	}()
	if got := r.FinishTrace(t.Context()); got == nil || len(got.Messages) != 1 || finished != 1 {
		t.Fatalf("recorded %+v", got)
	}
	r.AddMessage(call.SIPMessage{Line: "late"})
	if got := r.FinishTrace(t.Context()); len(got.Messages) != 1 || finished != 1 {
		t.Errorf("recorded after the end: %+v", got)
	}
	stuck := &carrier.TraceRecorder{}
	stuck.BeginExchange()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if got := stuck.FinishTrace(over); got != nil {
		t.Errorf("an empty recording is %+v", got)
	}
	var none *carrier.TraceRecorder
	none.AddMessage(call.SIPMessage{})
	none.SetQuality(nil)
	none.OnFinish(nil)
	none.BeginExchange()()
	if none.FinishTrace(t.Context()) != nil {
		t.Error("nil has recorded")
	}
}
