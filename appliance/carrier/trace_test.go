package carrier_test

import (
	"context"
	"slices"
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

// TestTraceOfLegs checks that the messages of legs to staff are in the call's ladder with their number, that their quality
// does not replace the person's, that the end waits for them, and that a late viewer gets all.
func TestTraceOfLegs(t *testing.T) {
	t.Parallel()
	r := &carrier.TraceRecorder{}
	r.AddMessage(call.SIPMessage{Line: "INVITE sip:a SIP/2.0"})
	r.SetQuality([]call.QualitySample{{Seconds: 5}})
	first, second := r.StaffLeg(1), r.StaffLeg(2)
	first.AddMessage(call.SIPMessage{Line: "INVITE sip:a SIP/2.0"})
	second.SetQuality(nil)
	var seen []int
	r.WatchMessages(func(m call.SIPMessage) { seen = append(seen, m.Leg) })
	second.AddMessage(call.SIPMessage{Line: "SIP/2.0 180 Ringing"})
	finished := false
	second.OnFinish(func() { finished = true })
	end := first.BeginExchange()
	go func() {
		first.AddMessage(call.SIPMessage{Line: "SIP/2.0 200 OK"})
		end()
	}()
	got := r.FinishTrace(t.Context())
	if len(got.Messages) != 4 || len(got.Quality) != 1 || !finished || !slices.Equal(seen, []int{0, 1, 2, 1}) {
		t.Errorf("recorded %+v, seen %v", got, seen)
	}
	late := false
	if r.StaffLeg(3).OnFinish(func() { late = true }); !late {
		t.Error("a leg that begins after the end is recorded for ever")
	}
	var none *carrier.TraceRecorder
	none.StaffLeg(1).AddMessage(call.SIPMessage{})
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

// TestTraceOrder checks that a message that was recorded after its answer stands before it: a request before its
// response, a response before its ACK; and that what only follows it closely stays behind.
func TestTraceOrder(t *testing.T) {
	t.Parallel()
	message := func(sent bool, line, cseq string) call.SIPMessage {
		return call.SIPMessage{Sent: sent, Line: line, Headers: []string{"Via: x", "CSeq: " + cseq}}
	}
	invite, ok := message(false, "INVITE sip:x SIP/2.0", "1 INVITE"), message(true, "SIP/2.0 200 OK", "1 INVITE")
	ack, bye := message(false, "ACK sip:x SIP/2.0", "1 ACK"), message(true, "BYE sip:x SIP/2.0", "2 BYE")
	gone, info := message(false, "SIP/2.0 200 OK", "2 BYE"), message(false, "INFO sip:x SIP/2.0", "3 INFO")
	wants := []call.SIPMessage{invite, ok, ack, bye, gone, info}
	for name, added := range map[string][]call.SIPMessage{
		"in order":          wants,
		"an early ACK":      {invite, ack, ok, bye, gone, info},
		"an early response": {invite, ok, ack, gone, bye, info},
		"overtaken twice":   {invite, ack, bye, ok, gone, info},
		"a late request":    {invite, ok, ack, gone, info, bye},
	} {
		var r carrier.TraceRecorder
		for _, m := range added {
			r.AddMessage(m)
		}
		for i, m := range r.FinishTrace(t.Context()).Messages {
			if m.Line != wants[i].Line || m.Headers[1] != wants[i].Headers[1] {
				t.Errorf("%s: message %d is %s, %s", name, i, m.Line, m.Headers[1])
			}
		}
	}
}
