package rehearsal

import (
	"context"
	"io"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/engine/audio"
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

// typedLine is a line on which the person's acts are given one after the other, each in its time: typed words without
// sound, and sounds.
type typedLine struct {
	acts    []Act
	begun   int                       // acts that were taken
	toEnd   bool                      // the person is silent after the last act
	asked   carrier.AnswerExpectation // of the last line
	n       int                       // frames given
	queue   []carrier.Speech
	played  int  // samples of the first
	quiet   int  // frames since something was played, said or pressed
	block   int  // frames since the platform began to speak after the person, or since the answer
	fresh   bool // the platform has begun to speak since the last act
	wait    int  // frames of quiet before the next answer
	mute    bool // the person is silent until the platform speaks again
	keys    string
	heard   []heardAt
	sound   []int16                    // of the act, still to be heard, at the recognizer's rate
	wide    [2 * carrier.Samples]int16 // of the frame
	talking bool                       // a turn that the recognizer hears is open
	over    error

	transferred string
}

// heardAt is a recognizer report at a frame.
type heardAt struct {
	frame  int
	report conversation.RecognizerReport
}

func newLine(acts []Act) *typedLine {
	return &typedLine{acts: acts, wait: pauseFrames, mute: true} // the platform speaks first
}

// Next implements [carrier.Line].
func (l *typedLine) Next(ctx context.Context) (carrier.Frame, error) {
	if err := ctx.Err(); err != nil {
		return carrier.Frame{}, err
	}
	if l.over == nil && l.keys == "" && len(l.heard) == 0 && len(l.sound) == 0 && l.isTime() {
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
	l.block++
	l.playFrame(f.Out[:])
	l.hearFrame(&f)
	return f, nil
}

// isTime reports whether the next act begins now.
func (l *typedLine) isTime() bool {
	if len(l.acts) > 0 && l.acts[0].Into > 0 && (l.fresh || !l.acts[0].Fresh) &&
		time.Duration(l.block)*carrier.Tick >= l.acts[0].Into {
		return true
	}
	return !l.mute && !l.talking && l.quiet >= l.wait
}

// takeAnswer begins the next act.
func (l *typedLine) takeAnswer() error {
	switch {
	case len(l.acts) == 0 && l.toEnd:
		l.mute = true
		return nil
	case len(l.acts) == 0:
		return errAwaiting
	}
	a := l.acts[0]
	l.acts, l.begun, l.quiet, l.wait, l.fresh = l.acts[1:], l.begun+1, 0, pauseFrames, false
	switch text, isKeys := strings.CutPrefix(a.Answer, Keys); {
	case a.Sound != nil:
		l.sound = widen(a.Sound)
	case isKeys:
		l.keys, l.wait = text, keyFrames
	case a.Answer == Silent:
		l.mute = true
	case a.Answer == HangUp:
		return io.EOF
	default:
		l.sayText(strings.TrimPrefix(a.Answer, Says))
	}
	return nil
}

// widen resamples a sound of the line to the recognizer's rate.
func widen(narrow []int16) []int16 {
	samples := make([]float32, len(narrow))
	for i, v := range narrow {
		samples[i] = float32(v) / 32768
	}
	r := audio.NewResampler(carrier.Rate, audio.Rate)
	return audio.AppendInt16(nil, r.Flush(r.Push(nil, samples)))
}

// hearFrame puts the next 20 ms of an act's sound into a frame. After it the person is silent until the platform speaks
// again, as after every answer.
func (l *typedLine) hearFrame(f *carrier.Frame) {
	if len(l.sound) == 0 {
		return
	}
	l.wide = [2 * carrier.Samples]int16{}
	l.sound = l.sound[copy(l.wide[:], l.sound):]
	f.Wide, l.quiet = &l.wide, 0
	for i := range f.In {
		f.In[i] = l.wide[2*i]
	}
	if len(l.sound) == 0 {
		l.mute = len(l.queue) == 0
	}
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
	if len(l.queue) == 0 && !l.fresh {
		l.block, l.fresh = 0, true
	}
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
