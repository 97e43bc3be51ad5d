package rehearsal

import (
	"context"
	"io"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/engine/grammar"
)

// Times of the line, in frames of 20 ms.
const (
	pauseFrames = 25  // of silence before the person answers; longer than the pause at the end of a call
	keyFrames   = 130 // after keys: the end of a number keyed in, and more
	wordFrames  = 15  // that a typed word takes
	endFrames   = 10  // from the end of a word until it is recognized
)

// wideSilence is the sound of each frame, at the recognizer's rate: silence at the line's rate would be resampled,
// which took most of a run's time.
var wideSilence [2 * carrier.Samples]int16

// typedLine is a line without sound on which typed answers are given, one whenever the platform falls quiet.
type typedLine struct {
	answers []string
	toEnd   bool                      // the person is silent after the last answer
	asked   carrier.AnswerExpectation // of the last line
	n       int                       // frames given
	queue   []carrier.Speech
	played  int  // samples of the first
	quiet   int  // frames since something was played, said or pressed
	wait    int  // frames of quiet before the next answer
	mute    bool // the person is silent until the platform speaks again
	keys    string
	heard   []heardAt
	over    error

	transferred string
}

// heardAt is a recognizer report at a frame.
type heardAt struct {
	frame  int
	report conversation.RecognizerReport
}

func newLine(answers []string) *typedLine {
	return &typedLine{answers: answers, wait: pauseFrames, mute: true} // the platform speaks first
}

// Next implements [carrier.Line].
func (l *typedLine) Next(ctx context.Context) (carrier.Frame, error) {
	if err := ctx.Err(); err != nil {
		return carrier.Frame{}, err
	}
	if l.over == nil && !l.mute && l.keys == "" && len(l.heard) == 0 && l.quiet >= l.wait {
		l.over = l.takeAnswer()
	}
	if l.over != nil {
		return carrier.Frame{}, l.over
	}
	f := carrier.Frame{At: time.Duration(l.n) * carrier.Tick, Wide: &wideSilence}
	if l.keys != "" {
		f.Digits, l.keys = l.keys[:1], l.keys[1:]
	}
	l.n++
	l.quiet++
	l.playFrame(f.Out[:])
	return f, nil
}

// takeAnswer begins the next answer.
func (l *typedLine) takeAnswer() error {
	switch {
	case len(l.answers) == 0 && l.toEnd:
		l.mute = true
		return nil
	case len(l.answers) == 0:
		return errAwaiting
	}
	answer := l.answers[0]
	l.answers, l.quiet, l.wait = l.answers[1:], 0, pauseFrames
	switch text, isKeys := strings.CutPrefix(answer, Keys); {
	case isKeys:
		l.keys, l.wait = text, keyFrames
	case answer == Silent:
		l.mute = true
	case answer == HangUp:
		return io.EOF
	default:
		l.sayText(strings.TrimPrefix(answer, Says))
	}
	return nil
}

// sayText queues recognizer reports that contain the typed text.
func (l *typedLine) sayText(text string) {
	frames := wordFrames * max(1, len(strings.Fields(text)))
	seconds := func(frame int) float64 { return (time.Duration(frame) * carrier.Tick).Seconds() }
	add := func(at int, kind conversation.HeardKind, text string) {
		l.heard = append(l.heard, heardAt{at, conversation.RecognizerReport{
			Kind: kind, Start: seconds(l.n), End: seconds(min(at, l.n+frames)), Text: text, Confidence: 1,
		}})
	}
	add(l.n+1, conversation.Started, "")
	add(l.n+frames+endFrames, conversation.Final, text)
}

// playFrame takes a frame of the platform's speech.
func (l *typedLine) playFrame(out []int16) {
	for len(l.queue) > 0 && len(out) > 0 {
		n := min(len(out), len(l.queue[0].PCM)-l.played)
		out, l.quiet = out[n:], 0
		if l.played += n; l.played == len(l.queue[0].PCM) {
			l.queue, l.played = l.queue[1:], 0
		}
	}
}

// Say implements [carrier.Line].
func (l *typedLine) Say(s carrier.Speech) {
	l.queue = append(l.queue, s)
	l.asked, l.mute, l.quiet = s.Expects, false, 0
}

// Flush implements [carrier.Line].
func (l *typedLine) Flush() { l.queue, l.played = nil, 0 }

// Queued implements [carrier.Line].
func (l *typedLine) Queued() time.Duration {
	n := -l.played
	for _, s := range l.queue {
		n += len(s.PCM)
	}
	return time.Duration(n) * time.Second / carrier.Rate
}

// Transfer implements [carrier.Line]: it records the target.
func (l *typedLine) Transfer(_ context.Context, to string) error {
	l.transferred, l.over = to, io.EOF
	return nil
}

// Hangup implements [carrier.Line].
func (l *typedLine) Hangup() {
	if l.over == nil {
		l.over = carrier.ErrHungUp
	}
}

// typedWords is a recognizer that returns typed texts.
type typedWords struct{ line *typedLine }

// Push implements [conversation.StreamRecognizer].
func (w typedWords) Push(context.Context, []float32) (out []conversation.RecognizerReport, err error) {
	for len(w.line.heard) > 0 && w.line.heard[0].frame <= w.line.n {
		out = append(out, w.line.heard[0].report)
		w.line.heard, w.line.quiet = w.line.heard[1:], 0
	}
	return out, nil
}

// Flush implements [conversation.StreamRecognizer].
func (typedWords) Flush(context.Context) ([]conversation.RecognizerReport, error) { return nil, nil }

// ExpectPhrases implements [conversation.StreamRecognizer].
func (typedWords) ExpectPhrases([]string, *grammar.RuleGrammar) error { return nil }

// EndTurnsBy implements [conversation.StreamRecognizer]: written words are complete.
func (typedWords) EndTurnsBy(func(conversation.PausedTurn) time.Duration) {}
