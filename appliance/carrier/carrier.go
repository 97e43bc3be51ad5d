// Package carrier is what a telephone network looks like to the appliance: a call is dialled, rings, and either is
// refused with evidence of why or becomes a line with sound in both directions.
//
// The contract has real implementations only: the simulator (package simulator) and SIP; package carriertest holds
// them to it. Evidence becomes an outcome in one place, [ClassifyRefusal]. The package knows no scenario, store or engine.
//
// Time on a line is its own: it is counted in ticks of 20 ms since the answer. A simulated line may run faster than
// the clock and waits for whoever listens; a real one goes on and keeps ticks that nobody has taken yet.
package carrier

import (
	"context"
	"time"

	"munadi/store/call"
)

// Sound on a line is 16-bit linear PCM, mono in each direction.
const (
	Rate    = 8000                  // samples a second
	Tick    = 20 * time.Millisecond // one frame
	Samples = Rate / 50             // in a frame
)

// Unread is how long a line goes on at least while nobody takes its frames: a transfer that nobody answers lasts so
// long at most.
const Unread = time.Minute

// Carrier places calls. It is safe for concurrent use.
type Carrier interface {
	// Name is what people see: "simulator", "sip".
	Name() string
	// Simulated says that no telephone rings: pages, logs and answers say so wherever a person could take it for real.
	Simulated() bool
	// Lines is how many calls may be up at once.
	Lines() int
	// Dial calls and waits for the answer. A call that is not answered ends in a [*DialError]; when ctx ends the ringing
	// stops and the error is the context's.
	Dial(ctx context.Context, r DialRequest) (Line, error)
}

// DialRequest is one dial.
type DialRequest struct {
	CallID  string
	Number  string        // E.164
	Ring    time.Duration // how long it may ring
	Attempt int           // 1 for the first dial of a chain
	// Ringing is called when the far end rings; may be nil.
	Ringing func()
}

// Line is an answered call. Its methods belong to one goroutine, but for Hangup, which is safe at any time.
type Line interface {
	// Next waits for the next frame. After the other side hung up the error is [io.EOF]; after Hangup, [ErrHungUp].
	Next(ctx context.Context) (Frame, error)
	// Say queues sound for the other side, behind what is queued already.
	Say(s Speech)
	// Flush forgets what is queued and not yet played.
	Flush()
	// Queued is how much of what was said is still to be played.
	Queued() time.Duration
	// Transfer connects the other side with somebody else; the line ends for us when it succeeds.
	Transfer(ctx context.Context, to string) error
	// Hangup ends the call; a second one does nothing.
	Hangup()
}

// MeasuredLine is a line that knows how it fared; call it after the line's end. One that measures nothing is none.
// Its time is the clock's, also where whoever listens is late.
type MeasuredLine interface {
	Measure() call.LineFacts
	// Lasted is how long the line was up, from the answer to its end, or until now.
	Lasted() time.Duration
}

// Frame is one tick of both directions, played at the same time.
type Frame struct {
	At     time.Duration // since the answer, of the frame's beginning
	In     [Samples]int16
	Out    [Samples]int16
	Digits string // keys that the other side pressed: 0-9 * # A-D
}

// Speech is something to say. Text and Expects are for simulated people, who do not listen to the sound itself.
type Speech struct {
	Text    string
	PCM     []int16 // at [Rate]
	Expects AnswerExpectation
}

// AnswerExpectation says what kind of answer is waited for; the zero value: none.
type AnswerExpectation struct {
	Kind    string   // yes_no, number, date, time, choice, text; empty: no answer is expected
	Slot    string   // name of the slot
	Phrases []string // of a choice: one phrase of each option
	Again   int      // how often it was asked before
}
