// Package carriertest is the conformance suite of package carrier.
//
// A carrier supplies numbers for each kind of outcome; outcomes without a number are skipped with a message. Audio is
// treated as opaque samples.
package carriertest

import (
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
)

// TestSetup is a carrier under test.
type TestSetup struct {
	// New creates the carrier and registers its cleanup.
	New     func(t *testing.T) carrier.Carrier
	Numbers TestNumbers
	// Bubble runs every test in a synctest bubble, for carriers that block only on time.
	Bubble bool
}

// TestNumbers are the numbers to call; outcomes with an empty number are skipped.
type TestNumbers struct {
	Talks       string // answers within 10 s, makes a sound within 5 s, stays for at least 10 s
	Leaves      string // answers and hangs up within a minute without any prompt
	Presses     string // answers and sends DTMF within 10 s
	RingsOut    string // rings and never answers
	Declines    string // 603
	Unavailable string // 480
	Busy        string // 486
	Broken      string // no response from the carrier
}

// RunSuite runs the suite.
func RunSuite(t *testing.T, s TestSetup) {
	t.Helper()
	for _, c := range []struct {
		name   string
		number string
		test   func(t *testing.T, c carrier.Carrier, number string)
	}{
		{"says what it is", s.Numbers.Talks, testName},
		{"an answer brings frames in order", s.Numbers.Talks, testFrameOrder},
		{"the other side is heard", s.Numbers.Talks, testReceivedSound},
		{"the end of the dial's context leaves the line", s.Numbers.Talks, testDialContextEnds},
		{"the end of Next's context leaves the line", s.Numbers.Talks, testNextContextEnds},
		{"what is said is played in order", s.Numbers.Talks, testPlayOrder},
		{"flushed sound is not played", s.Numbers.Talks, testFlush},
		{"we hang up", s.Numbers.Talks, testHangup},
		{"we hang up while Next waits", s.Numbers.Talks, testConcurrentHangup},
		{"the other side hangs up", s.Numbers.Leaves, testRemoteHangup},
		{"a transfer ends the line", s.Numbers.Talks, testTransfer},
		{"keys come through", s.Numbers.Presses, testKeys},
		{"nobody answers", s.Numbers.RingsOut, testRingTimeout},
		{"the dial is given up", s.Numbers.RingsOut, testCancelledDial},
		{"declined", s.Numbers.Declines, testDeclined},
		{"unavailable", s.Numbers.Unavailable, testUnavailable},
		{"busy", s.Numbers.Busy, testBusy},
		{"no answer from the carrier", s.Numbers.Broken, testBroken},
		{"many lines at once", s.Numbers.Talks, testManyLines},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.number == "" {
				t.Skip("this carrier has no number that shows it")
			}
			if !s.Bubble {
				c.test(t, s.New(t), c.number)
				return
			}
			synctest.Test(t, func(t *testing.T) { c.test(t, s.New(t), c.number) })
		})
	}
}

// newDialRequest returns a dial request for a number.
func newDialRequest(number string) carrier.DialRequest {
	return carrier.DialRequest{CallID: "call_test", Number: number, Ring: 30 * time.Second, Attempt: 1}
}

// dialAnswered calls a number that answers; the line is hung up at the end of the test.
func dialAnswered(t *testing.T, c carrier.Carrier, number string) carrier.Line {
	t.Helper()
	line, err := c.Dial(t.Context(), newDialRequest(number))
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	t.Cleanup(line.Hangup)
	return line
}

// takeFrames reads n frames.
func takeFrames(t *testing.T, line carrier.Line, n int) []carrier.Frame {
	t.Helper()
	out := make([]carrier.Frame, 0, n)
	for i := range n {
		f, err := line.Next(t.Context())
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		out = append(out, f)
	}
	return out
}
