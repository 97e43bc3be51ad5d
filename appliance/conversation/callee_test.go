package conversation_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/appliance/tts"
	"munadi/engine/grammar"
)

// scriptedCallee is a scripted callee, line and recognizer in one: their speech is recognized as written, at its time.
// Frames are delivered as fast as they are read; nap, if set, is the duration of a frame.
type scriptedCallee struct {
	script func(asked int, q carrier.Speech) calleeReaction // what to do once a question was played
	start  calleeReaction                                   // what to do at the answer
	tones  func(at time.Duration) []int16                   // what the line sounds like; nil: silence
	moved  error                                            // of Transfer
	nap    func()

	n        int // frames given
	queue    []carrier.Speech
	played   int // samples of queue[0]
	asked    int
	events   []calleeEvent
	hung     chan struct{}
	last     float64 // seconds at which the line ended
	expected [][]string
	told     func([]string) // hears what is expected; may be nil
	pushErr  error
	to       string
}

// calleeReaction is what a callee does some time after a question: speaks, presses keys, hangs up. The zero value is
// nothing.
type calleeReaction struct {
	after   time.Duration
	say     string
	takes   time.Duration // zero: 300 ms a word
	clarity float64       // zero: 0.9
	keys    string
	hangup  bool
	then    *calleeReaction // after that
}

type calleeEvent struct {
	at     int // frame
	heard  *conversation.RecognizerReport
	keys   string
	hangup bool
}

func (c *scriptedCallee) planEvent(d calleeReaction, from int) {
	at := from + int(d.after/carrier.Tick)
	if d.keys != "" {
		for i := range d.keys {
			c.events = append(c.events, calleeEvent{at: at + 10*i, keys: d.keys[i : i+1]})
		}
		at += 10 * len(d.keys)
	}
	if d.say != "" {
		at = c.planSpeech(d, at)
	}
	if d.hangup {
		c.events = append(c.events, calleeEvent{at: at, hangup: true})
	}
	if d.then != nil {
		c.planEvent(*d.then, at)
	}
}

// planSpeech plans the recognizer's events of a turn, and returns the frame after it.
func (c *scriptedCallee) planSpeech(d calleeReaction, at int) int {
	takes, clarity := d.takes, d.clarity
	if takes == 0 {
		takes = time.Duration(len(strings.Fields(d.say))) * 300 * time.Millisecond
	}
	if clarity == 0 {
		clarity = 0.9
	}
	frames := int(takes / carrier.Tick)
	seconds := func(frame int) float64 { return float64(frame) / 50 }
	report := func(after int, kind conversation.HeardKind, text string) {
		c.events = append(c.events, calleeEvent{at: at + after, heard: &conversation.RecognizerReport{
			Kind: kind, Start: seconds(at), End: seconds(at + min(after, frames)), Text: text, Confidence: clarity,
		}})
	}
	report(6, conversation.Started, "")
	for after := 16; after < frames; after += 16 {
		report(after, conversation.Continues, "")
	}
	report(frames+35, conversation.Final, strings.Trim(d.say, "…"))
	return at + frames
}

// takeDueEvents returns the events of the current frame.
func (c *scriptedCallee) takeDueEvents(want func(calleeEvent) bool) []calleeEvent {
	var out []calleeEvent
	c.events = slices.DeleteFunc(c.events, func(e calleeEvent) bool {
		if e.at > c.n || !want(e) {
			return false
		}
		out = append(out, e)
		return true
	})
	return out
}

func (c *scriptedCallee) Next(ctx context.Context) (carrier.Frame, error) {
	select {
	case <-c.hung:
		return carrier.Frame{}, carrier.ErrHungUp
	default:
	}
	if err := ctx.Err(); err != nil {
		return carrier.Frame{}, err
	}
	if c.nap != nil {
		c.nap()
	}
	if c.n == 0 {
		c.planEvent(c.start, 0)
	}
	if len(c.takeDueEvents(func(e calleeEvent) bool { return e.hangup })) > 0 {
		c.hangUp()
	}
	if c.n < 0 {
		return carrier.Frame{}, io.EOF
	}
	f := carrier.Frame{At: time.Duration(c.n) * carrier.Tick}
	for _, e := range c.takeDueEvents(func(e calleeEvent) bool { return e.keys != "" }) {
		f.Digits += e.keys
	}
	if c.tones != nil {
		copy(f.In[:], c.tones(f.At))
	}
	c.playFrame(f.Out[:])
	c.n++
	return f, nil
}

func (c *scriptedCallee) hangUp() {
	c.last, c.n = float64(c.n)/50, -1<<40
}

// playFrame plays a frame of the platform's speech; at the end of a question the callee's reaction begins.
func (c *scriptedCallee) playFrame(out []int16) {
	for len(c.queue) > 0 && len(out) > 0 {
		q := c.queue[0]
		if c.played == len(q.PCM) && q.Rest > 0 { // the rest is late
			return
		}
		n := copy(out, q.PCM[c.played:])
		out = out[n:]
		if c.played += n; c.played == len(q.PCM) && q.Rest == 0 {
			c.queue, c.played = c.queue[1:], 0
			if q.Expects.Kind != "" && c.script != nil {
				c.planEvent(c.script(c.asked, q), c.n)
				c.asked++
			}
		}
	}
}

// Say expects the wideband audio of all that is spoken to match the length of the narrowband audio.
func (c *scriptedCallee) Say(s carrier.Speech) {
	if s.Text != "" && len(s.Wide) != 2*len(s.PCM) && len(s.PCM) > carrier.Samples {
		panic(fmt.Sprintf("%d samples at 8 kHz and %d at 16 kHz of %q", len(s.PCM), len(s.Wide), s.Text))
	}
	if last := len(c.queue) - 1; last >= 0 && c.queue[last].ContinueWith(s) {
		return
	}
	c.queue = append(c.queue, s)
}
func (c *scriptedCallee) Flush() { c.queue, c.played = nil, 0 }

func (c *scriptedCallee) Queued() time.Duration {
	n := -c.played
	for _, s := range c.queue {
		n += len(s.PCM)
	}
	return time.Duration(n) * time.Second / carrier.Rate
}

func (c *scriptedCallee) Transfer(_ context.Context, to string) error {
	c.to = to
	if c.moved == nil {
		c.hangUp()
	}
	return c.moved
}

func (c *scriptedCallee) Hangup() {
	select {
	case <-c.hung:
	default:
		close(c.hung)
		if c.n > 0 {
			c.last = float64(c.n) / 50
		}
	}
}

func (c *scriptedCallee) Push(context.Context, []float32) ([]conversation.RecognizerReport, error) {
	var out []conversation.RecognizerReport
	for _, e := range c.takeDueEvents(func(e calleeEvent) bool { return e.heard != nil }) {
		out = append(out, *e.heard)
	}
	return out, c.pushErr
}

func (c *scriptedCallee) ExpectPhrases(phrases []string, _ *grammar.RuleGrammar) error {
	c.expected = append(c.expected, phrases)
	if c.told != nil {
		c.told(phrases)
	}
	return nil
}

// EndTurnsBy does nothing: the script says when turns end.
func (c *scriptedCallee) EndTurnsBy(func(conversation.PausedTurn) time.Duration) {}

// calleeRecognizer is the recognizer of a callee, whose line has another Flush method.
type calleeRecognizer struct{ *scriptedCallee }

// Flush returns the turns that have begun.
func (h calleeRecognizer) Flush(context.Context) ([]conversation.RecognizerReport, error) {
	var out []conversation.RecognizerReport
	for _, e := range h.events {
		if e.heard != nil && e.heard.Kind == conversation.Final && h.last >= e.heard.Start {
			out = append(out, *e.heard)
		}
	}
	return out, nil
}

// toneVoice speaks each word in 300 ms and refuses texts that it can't speak.
type toneVoice struct {
	cannot []string
	slow   time.Duration
}

func (v toneVoice) Speak(ctx context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	if slices.Contains(v.cannot, r.Text) {
		return tts.SpokenSound{}, tts.ErrNoVoice
	}
	if v.slow > 0 {
		select {
		case <-ctx.Done():
			return tts.SpokenSound{}, ctx.Err()
		case <-time.After(v.slow):
		}
	}
	n := 2400 * len(strings.Fields(r.Text))
	return tts.SpokenSound{PCM: make([]int16, n), Wide: make([]int16, 2*n), Source: tts.Recorded}, nil
}
