package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
)

// newTrace returns a line trace of one message.
func newTrace() *call.LineTrace {
	return &call.LineTrace{Messages: []call.SIPMessage{{
		At: startTime(), Sent: true, Peer: "udp 192.0.2.7:5060", Line: "INVITE sip:•••@trunk.example SIP/2.0",
		Headers: []string{"CSeq: 1 INVITE"},
	}}}
}

// wantTrace fails unless the trace of a call is the given one; nil: none.
func wantTrace(t *testing.T, s store.Store, c call.Call, want *call.LineTrace) {
	t.Helper()
	got, err := s.FindTrace(t.Context(), c.OrgID, c.ID)
	wantCode(t, "FindTrace", err, "")
	if want == nil {
		want = &call.LineTrace{}
	}
	if diff := cmp.Diff(*want, got); diff != "" {
		t.Errorf("trace of the call: %s", diff)
	}
}

// callTraces: a line trace is stored with the end of its call, and removed with its texts, or its person.
func callTraces(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	finish := func(c call.Call) {
		_, err := s.FinishCall(ctx, c.OrgID, c.ID, call.CallOutcome{Status: call.NoAnswer, Trace: newTrace()}, nil, now)
		wantCode(t, "FinishCall", err, "")
	}
	aged, erased, running, plain := newCall("bakery", 0), newCall("bakery", 0), newCall("bakery", 0), newCall("bakery", 0)
	aged.PhoneNumber, plain.PhoneNumber = number+"1", number+"2"
	for _, c := range []call.Call{aged, erased, running, plain} {
		bookCalls(t, s, c)
		wantTrace(t, s, c, nil)
		releaseCall(t, s, c, now)
	}
	finish(aged)
	finish(erased)
	wantTrace(t, s, aged, newTrace())
	if _, err := s.FindTrace(ctx, "airline", aged.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another organization reads the trace: %v", err)
	}
	_, err := s.FinishCall(ctx, "bakery", plain.ID, call.CallOutcome{Status: call.NoAnswer, Trace: &call.LineTrace{}}, nil, now)
	wantCode(t, "FinishCall", err, "")
	wantTrace(t, s, plain, nil)
	_, err = s.ErasePerson(ctx, "bakery", number, asked, now)
	wantCode(t, "ErasePerson", err, "")
	wantTrace(t, s, erased, nil)
	finish(running)
	wantTrace(t, s, running, nil)
	wantTrace(t, s, aged, newTrace())
	n, err := s.ExpireWords(ctx, "bakery", now.Add(time.Hour), 10)
	if wantCode(t, "ExpireWords", err, ""); n != 1 {
		t.Errorf("%d calls lost their texts, want the one with a trace", n)
	}
	wantTrace(t, s, aged, nil)
}
