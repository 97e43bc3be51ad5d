// Package carrier defines the interface to a telephone network: a call is dialled, rings, and is either refused with
// evidence of why or becomes an answered line with audio in both directions.
//
// Implementations: the simulator (package simulator) and SIP (package sip); package carriertest is their conformance
// suite. [ClassifyRefusal] alone maps a refusal's evidence to a call outcome. The package imports no scenario, store or
// engine.
//
// A line has its own audio clock, counted in ticks of 20 ms since the answer. A simulated line may run faster than real
// time and waits for its reader; a real one runs on and buffers frames that were not read yet.
package carrier

import (
	"context"
	"slices"
	"time"

	"munadi/store/call"
)

// Audio format of a line: 16-bit linear PCM, mono per direction.
const (
	Rate    = 8000                  // samples per second
	Tick    = 20 * time.Millisecond // one frame
	Samples = Rate / 50             // per frame
)

// Unread is the minimum time for which a line buffers frames that are not read: the longest wait for an unanswered
// transfer.
const Unread = time.Minute

// Carrier places calls. It is safe for concurrent use.
type Carrier interface {
	// Name is shown to users: "simulator", "sip".
	Name() string
	// Simulated reports that no real telephone rings; the console, logs and API answers show it.
	Simulated() bool
	// Lines returns the number of concurrent calls that are possible now.
	Lines() int
	// Dial places a call and waits for the answer. An unanswered call returns a [*DialError]; when ctx ends the call is
	// cancelled and the context's error returned.
	Dial(ctx context.Context, r DialRequest) (Line, error)
}

// DialRequest is one dial attempt.
type DialRequest struct {
	CallID  string
	Number  string        // E.164; empty for an address that is no number
	Ring    time.Duration // ring timeout
	Caller  string        // caller number to show, E.164; empty: the carrier's own
	OrgID   string        // organization that calls
	Trunk   string        // SIP trunk to use; empty: any that serves the number
	Attempt int           // 1 for the first attempt of a retry chain
	// Address is the SIP URI that is called through the trunk instead of Number; empty: the number.
	Address string
	// Staff means that a member of staff is called, to take a call over; for the simulator.
	Staff bool
	// Shown is called with the caller number that is shown, before the call is placed, once more for each trunk that is
	// tried; empty: it is not known. It may be nil.
	Shown func(number string)
	// Ringing is called when the far end rings (18x); may be nil.
	Ringing func()
	// Trace records the signalling and the quality of the call; nil: they are not recorded. Its end is the caller's.
	Trace *TraceRecorder
}

// Line is an answered call. Its methods must be used by one goroutine, except Hangup, which is safe at any time.
type Line interface {
	// Next waits for the next frame. The error is [io.EOF] after the remote side hung up, [ErrHungUp] after Hangup.
	Next(ctx context.Context) (Frame, error)
	// Say queues audio for playback.
	Say(s Speech)
	// Flush discards queued audio that was not played yet (barge-in).
	Flush()
	// Queued returns the duration of the queued audio that was not played yet.
	Queued() time.Duration
	// Transfer connects the remote side to an E.164 number or a SIP URI (REFER); if it succeeds, the line ends.
	Transfer(ctx context.Context, to string) error
	// Hangup ends the call; it is idempotent.
	Hangup()
}

// MeasuredLine is a line with signalling and media measurements; use it after the line's end. Times are wall-clock
// times, even for a slow reader.
type MeasuredLine interface {
	Measure() call.LineFacts
	// Lasted returns how long the line has been up since the answer, until its end or now.
	Lasted() time.Duration
}

// Frame is one tick (20 ms) of both directions, played at the same time.
type Frame struct {
	At     time.Duration // start of the frame since the answer
	In     [Samples]int16
	Out    [Samples]int16
	Wide   *[2 * Samples]int16 // In at 16000 samples per second; nil on a narrowband line
	Digits string              // DTMF digits from the remote side: 0-9 * # A-D
	// Held: the remote side holds the call. It hears nothing, and queued audio waits.
	Held bool
}

// Speech is audio to play. Text and Expects are for the simulator's people, who read them instead of recognizing audio.
type Speech struct {
	Text    string
	PCM     []int16 // at [Rate]
	Wide    []int16 // the same at 16000 samples per second, for a wideband line; nil: PCM is all there is
	Expects AnswerExpectation
	// Rest is about how long the sound is with which the next speech of the line continues this one: it is not there yet.
	// 0: this is all.
	Rest time.Duration
}

// ContinueWith appends the next speech of a line; false if s is whole, and the next one stands for itself.
func (s *Speech) ContinueWith(next Speech) bool {
	if s.Rest == 0 {
		return false
	}
	s.PCM, s.Wide = append(slices.Clip(s.PCM), next.PCM...), append(slices.Clip(s.Wide), next.Wide...)
	s.Rest = next.Rest
	return true
}

// AnswerExpectation is the kind of answer that a question expects; the zero value: none.
type AnswerExpectation struct {
	Kind    string   // yes_no, number, date, time, choice, text; empty: none
	Slot    string   // name of the slot
	Phrases []string // for a choice: one phrase per option
	Again   int      // number of earlier attempts at this question
}

// KeyTicks is how many ticks a line takes to send a key, with the pause after it.
const KeyTicks = 12

// KeySender is a line that sends DTMF digits to the remote side.
type KeySender interface {
	// SendKeys queues digits, 0-9 * # A-D, to be sent one after another; other characters are ignored.
	SendKeys(keys string)
}

// SendKeys sends DTMF digits over a line that can; on another they are dropped.
func SendKeys(l Line, keys string) {
	if s, can := l.(KeySender); can && keys != "" {
		s.SendKeys(keys)
	}
}

// ReportShown calls Shown, if there is one.
func (r DialRequest) ReportShown(number string) {
	if r.Shown != nil {
		r.Shown(number)
	}
}

// UnreadCounter is a line that runs on while its frames are not read.
type UnreadCounter interface {
	// CountUnread returns the number of frames that wait to be read.
	CountUnread() int
}

// CountUnread returns the number of frames of a line that wait to be read; 0 for a line that waits for its reader.
func CountUnread(l Line) int {
	if c, can := l.(UnreadCounter); can {
		return c.CountUnread()
	}
	return 0
}
