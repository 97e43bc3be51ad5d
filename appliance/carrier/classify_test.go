package carrier_test

import (
	"errors"
	"testing"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// TestClassify checks the outcome by cause. The first known one counts, in this order: our own cause, Q.850, SIP,
// transport.
func TestClassify(t *testing.T) {
	t.Parallel()
	n := func(i int) *int { return &i }
	type evidence = carrier.DialError
	for _, c := range []struct {
		name   string
		in     evidence
		status call.CallStatus
		reason call.FailureReason
	}{
		{"our own limit", evidence{RingTimeout: true, Rang: true}, call.NoAnswer, call.RingTimeout},
		{"our own limit before 487", evidence{RingTimeout: true, Rang: true, SIPCode: n(487)}, call.NoAnswer, call.RingTimeout},
		{"our own limit before Q.850", evidence{RingTimeout: true, Rang: true, Q850: n(17)}, call.NoAnswer, call.RingTimeout},
		{"our own limit without ringing", evidence{RingTimeout: true}, call.Failed, call.CarrierFailure},

		{"Q.850 18", evidence{Q850: n(18), SIPCode: n(480)}, call.NoAnswer, call.RingTimeout},
		{"Q.850 19", evidence{Q850: n(19), SIPCode: n(500)}, call.NoAnswer, call.RingTimeout},
		{"Q.850 17", evidence{Q850: n(17), SIPCode: n(480)}, call.UserRejected, call.Busy},
		{"Q.850 21", evidence{Q850: n(21), SIPCode: n(480)}, call.UserRejected, call.Declined},
		{"Q.850 1", evidence{Q850: n(1), SIPCode: n(503)}, call.UserUnavailable, call.InvalidNumber},
		{"Q.850 22", evidence{Q850: n(22)}, call.UserUnavailable, call.InvalidNumber},
		{"Q.850 28", evidence{Q850: n(28)}, call.UserUnavailable, call.InvalidNumber},
		{"Q.850 2", evidence{Q850: n(2)}, call.UserUnavailable, call.Unavailable},
		{"Q.850 3", evidence{Q850: n(3)}, call.UserUnavailable, call.Unavailable},
		{"Q.850 20", evidence{Q850: n(20)}, call.UserUnavailable, call.Unavailable},
		{"Q.850 27", evidence{Q850: n(27)}, call.UserUnavailable, call.Unavailable},
		{"Q.850 34 says nothing", evidence{Q850: n(34), SIPCode: n(486)}, call.UserRejected, call.Busy},
		{"Q.850 16 alone", evidence{Q850: n(16)}, call.Failed, call.NoCarrier},

		{"486", evidence{SIPCode: n(486)}, call.UserRejected, call.Busy},
		{"600", evidence{SIPCode: n(600)}, call.UserRejected, call.Busy},
		{"603", evidence{SIPCode: n(603)}, call.UserRejected, call.Declined},
		{"607", evidence{SIPCode: n(607)}, call.UserRejected, call.Declined},
		{"608", evidence{SIPCode: n(608)}, call.UserRejected, call.Declined},
		{"480", evidence{SIPCode: n(480)}, call.UserUnavailable, call.Unavailable},
		{"404", evidence{SIPCode: n(404)}, call.UserUnavailable, call.InvalidNumber},
		{"410", evidence{SIPCode: n(410)}, call.UserUnavailable, call.InvalidNumber},
		{"484", evidence{SIPCode: n(484)}, call.UserUnavailable, call.InvalidNumber},
		{"604", evidence{SIPCode: n(604)}, call.UserUnavailable, call.InvalidNumber},
		{"408 while ringing", evidence{SIPCode: n(408), Rang: true}, call.NoAnswer, call.RingTimeout},
		{"487 while ringing", evidence{SIPCode: n(487), Rang: true}, call.NoAnswer, call.RingTimeout},
		{"408 without ringing", evidence{SIPCode: n(408)}, call.Failed, call.CarrierFailure},
		{"487 without ringing", evidence{SIPCode: n(487)}, call.Failed, call.CarrierFailure},

		{"transport", evidence{Err: errors.New("no route")}, call.Failed, call.NoCarrier},
		{"nothing known", evidence{}, call.Failed, call.NoCarrier},
		{"a status before the transport", evidence{SIPCode: n(486), Err: errors.New("x")}, call.UserRejected, call.Busy},
	} {
		status, failure := carrier.ClassifyRefusal(&c.in)
		if status != c.status || failure.Reason != c.reason {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, status, failure.Reason, c.status, c.reason)
		}
		if failure.SIPCode != c.in.SIPCode || failure.Q850Cause != c.in.Q850 {
			t.Errorf("%s: the evidence is not kept: %+v", c.name, failure)
		}
	}
}

// TestClassifyEveryOtherFinalStatus checks that every final status that says nothing about the callee counts as the
// carrier's failure.
func TestClassifyEveryOtherFinalStatus(t *testing.T) {
	t.Parallel()
	known := map[int]bool{
		404: true, 408: true, 410: true, 480: true, 484: true, 486: true, 487: true,
		600: true, 603: true, 604: true, 607: true, 608: true,
	}
	for code := 300; code < 700; code++ {
		status, failure := carrier.ClassifyRefusal(&carrier.DialError{SIPCode: &code, Rang: true})
		if !status.IsFinal() || status == call.Completed || status == call.Cancelled {
			t.Errorf("%d is %s", code, status)
		}
		if !known[code] && (status != call.Failed || failure.Reason != call.CarrierFailure) {
			t.Errorf("%d is %s (%s), want a failure of the carrier", code, status, failure.Reason)
		}
	}
}

func TestRefusalSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	code, cause := 486, 17
	transport := errors.New("no route")
	for want, r := range map[string]*carrier.DialError{
		"no answer in time": {RingTimeout: true, Rang: true, SIPCode: &code},
		"the carrier took the call, and it did not ring": {RingTimeout: true},
		"refused with Q.850 cause 17":                    {Q850: &cause, SIPCode: &code},
		"refused with SIP status 486":                    {SIPCode: &code},
		"refused with SIP status 486 Busy Here":          {SIPCode: &code, Phrase: "Busy Here"},
		"the carrier did not take the call: no route":    {Err: transport},
		"no answer from the carrier":                     {},
	} {
		if got := r.Error(); got != want {
			t.Errorf("%+v says %q, want %q", r, got, want)
		}
	}
	if !errors.Is(&carrier.DialError{Err: transport}, transport) {
		t.Error("the transport's failure is not found")
	}
}

// TestAnnouncements checks that an operator's announcement decides only where the signalling leaves the cause open, and
// is never an answer.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	code := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		refused carrier.DialError
		status  call.CallStatus
		reason  call.FailureReason
	}{
		"480":                  {carrier.DialError{SIPCode: code(480), Announced: call.OutOfCoverage}, call.UserUnavailable, call.OutOfCoverage},
		"503":                  {carrier.DialError{SIPCode: code(503), Announced: call.NotInService}, call.UserUnavailable, call.NotInService},
		"no answer":            {carrier.DialError{RingTimeout: true, Rang: true, Announced: call.SwitchedOff}, call.UserUnavailable, call.SwitchedOff},
		"busy":                 {carrier.DialError{SIPCode: code(480), Announced: call.Busy}, call.UserRejected, call.Busy},
		"486 first":            {carrier.DialError{SIPCode: code(486), Announced: call.SwitchedOff}, call.UserRejected, call.Busy},
		"603 first":            {carrier.DialError{SIPCode: code(603), Announced: call.SwitchedOff}, call.UserRejected, call.Declined},
		"404 first":            {carrier.DialError{SIPCode: code(404), Announced: call.Unavailable}, call.UserUnavailable, call.InvalidNumber},
		"Q.850 first":          {carrier.DialError{SIPCode: code(480), Q850: code(1), Announced: call.Busy}, call.UserUnavailable, call.InvalidNumber},
		"nothing is announced": {carrier.DialError{SIPCode: code(480)}, call.UserUnavailable, call.Unavailable},
	} {
		if status, f := carrier.ClassifyRefusal(&c.refused); status != c.status || f.Reason != c.reason {
			t.Errorf("%s: %s, %s, want %s, %s", name, status, f.Reason, c.status, c.reason)
		}
	}
}
