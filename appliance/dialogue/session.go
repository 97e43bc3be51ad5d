package dialogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialogue/amd"
	"munadi/appliance/dialogue/phrase"
	"munadi/appliance/dialogue/slot"
	"munadi/appliance/dialogue/template"
	"munadi/engine/audio"
	"munadi/store/call"
	"munadi/store/scenario"
)

// The ends of a conversation that no step decides.
var (
	errGone     = errors.New("the other side hung up")
	errOperator = errors.New("a person ended the call")
	errTooLong  = errors.New("the longest duration is over")
	errMachine  = errors.New("a machine answered")
	errNoVoice  = errors.New("nothing can speak what must be said")
	errMoved    = errors.New("the call goes on elsewhere")
)

// session is one conversation on its way.
type session struct {
	Deps
	Input
	slots     map[string]scenario.Slot
	variables map[string]any
	optOuts   phrase.List

	now       time.Duration // end of the last frame
	ears      ears
	detector  *amd.Detector // nil: the policy is off
	pressed   string        // keys that nothing has looked at
	pressing  time.Duration // when the first of them was pressed
	pressedAt time.Duration // and the last
	turns     []turn        // that nothing has looked at
	open      bool          // the question is open: its answer may hold anything
	hint      *hint         // what is to be expected once nobody speaks; nil: nothing new
	closing   bool          // goodbyes are being said: nothing is heeded any more

	playing []utterance
	turnOne bool // the first step's words were heard to their end

	messages []call.Message
	troubles []call.Trouble
	found    map[string]any  // slots
	given    map[string]bool // slots that another question's answer filled
	sentAway bool            // a transfer was tried
	spoke    bool            // the other side said a word, or pressed a key
	suppress bool
}

// turn is what the other side said in one go.
type turn struct {
	text       string
	words      []string
	start, end time.Duration
	confidence float64
	readings   []slot.Reading
}

func newSession(d Deps, in Input) *session {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	s := &session{
		Deps: d, Input: in,
		slots: map[string]scenario.Slot{}, variables: in.Scenario.WithDefaults(in.Variables),
		optOuts: optOutPhrases(d.Book, in.Scenario.OptOutPhrases),
		ears:    ears{hear: d.Hear, resampler: audio.NewResampler(carrier.Rate, audio.Rate)},
		found:   map[string]any{}, given: map[string]bool{},
	}
	for _, asked := range in.Scenario.Slots() {
		s.slots[asked.Name] = asked
	}
	if in.Scenario.Machine() != scenario.MachineOff {
		s.detector = amd.New(d.Book.machines)
	}
	return s
}

// tick takes the next frame: 20 ms of the call. Its error is the reason to stop whatever is being done.
func (s *session) tick(ctx context.Context) error {
	select {
	case <-s.Hangup:
		return errOperator
	default:
	}
	f, err := s.Line.Next(ctx)
	switch {
	case errors.Is(err, io.EOF):
		return errGone
	case err != nil:
		return err
	}
	if s.OnFrame != nil {
		s.OnFrame(f)
	}
	s.now = f.At + carrier.Tick
	if s.detector != nil {
		s.detector.Frame(f.At, f.In[:])
	}
	if err := s.listenTo(ctx, f); err != nil {
		return err
	}
	s.settlePlayed()
	return s.limits()
}

// listenTo takes in what the other side did in a frame.
func (s *session) listenTo(ctx context.Context, f carrier.Frame) error {
	if f.Digits != "" {
		if s.pressed == "" {
			s.pressing = f.At
		}
		s.pressed += f.Digits
		s.pressedAt, s.spoke = s.now, true
	}
	heard, err := s.ears.push(ctx, f)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.trouble("recognizer_failed", "What the person said could not be recognised.")
	}
	var first error
	for _, h := range heard {
		if err := s.take(h); first == nil {
			first = err
		}
	}
	return first
}

// take looks at one report of the recognizer.
func (s *session) take(h Heard) error {
	if !s.ears.take(h) {
		return nil
	}
	t := s.note(h)
	if s.hint != nil {
		s.expectNow()
	}
	s.turns = append(s.turns, t)
	s.suppress = s.suppress || s.optOuts.In(t.words) >= 0
	if s.closing || len(t.words) == 0 {
		return nil
	}
	if s.detector != nil {
		s.detector.Heard(t.text, t.start, t.end, s.now)
		if err := s.limits(); err != nil {
			return err
		}
	}
	if i := s.weighty(t.words, s.open); i != noIntent {
		return &interruption{i}
	}
	return nil
}

// note writes down a turn.
func (s *session) note(h Heard) turn {
	t := turn{
		text: h.Text, words: phrase.Words(h.Text), start: s.ears.time(h.Start), end: s.ears.time(h.End),
		confidence: max(0, min(1, h.Confidence)), readings: h.Readings,
	}
	if h.Text != "" {
		s.spoke = true
		s.message(call.Message{
			Role: call.User, Content: h.Text, Start: t.start.Seconds(), End: t.end.Seconds(), Confidence: t.confidence,
		})
	}
	return t
}

// limits says whether the call is to end here.
func (s *session) limits() error {
	if s.detector != nil && !s.closing && s.Scenario.Machine() == scenario.MachineHangUp &&
		s.detector.Decision().Verdict.Machine() {
		return errMachine
	}
	if s.now >= s.Scenario.MaxDuration() {
		return errTooLong
	}
	return nil
}

// drain recognises what the other side said last. The line is over; it only takes what was heard, and heeds nothing
// but a wish never to be called again.
func (s *session) drain(ctx context.Context) {
	s.cutAt(s.now)
	if ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	heard, err := s.Hear.Flush(ctx)
	if err != nil {
		s.trouble("recognizer_failed", "What the person said last could not be recognised.")
	}
	for _, h := range heard {
		if !s.ears.take(h) {
			continue
		}
		t := s.note(h)
		s.suppress = s.suppress || s.optOuts.In(t.words) >= 0
		if s.detector != nil {
			s.detector.Heard(t.text, t.start, t.end, s.now)
		}
	}
}

func (s *session) message(m call.Message) {
	s.messages = append(s.messages, m)
	if s.OnMessage != nil {
		s.OnMessage(m)
	}
}

// find writes down a slot's value; nil takes back what was there.
func (s *session) find(name string, value any) {
	s.found[name] = value
	if s.OnSlot != nil {
		s.OnSlot(name, value)
	}
}

// maxTroubles bounds the list: what goes wrong over and over is told often enough.
const maxTroubles = 50

func (s *session) trouble(code, format string, args ...any) {
	if len(s.troubles) < maxTroubles {
		s.troubles = append(s.troubles, call.Trouble{
			Code: code, Message: fmt.Sprintf(format, args...), At: s.now.Seconds(),
		})
	}
}

// value is a slot's, or a variable's; nil when it is not known.
func (s *session) value(name string) any {
	if _, ok := s.slots[name]; ok {
		return s.found[name]
	}
	return s.variables[name]
}

// words renders a text.
func (s *session) words(text string) (string, bool) {
	return template.Words(text, s.value, s.slots)
}

// today is the day in the organization's zone.
func (s *session) today() time.Time { return s.Now().In(s.Zone) }
