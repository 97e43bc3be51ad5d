package dialogue

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/speech"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	pause      = 200 * time.Millisecond // between two lines
	patience   = 5 * time.Second        // with a line that does not play what was said
	speechTime = 10 * time.Second       // to make the sound of a text
	grace      = 250 * time.Millisecond // of the clock that is waited for something before the line is read on
)

// utterance is a text on its way to the other side.
type utterance struct {
	text       string
	start, end time.Duration // of its sound
}

// tell says lines to their end.
func (s *session) tell(ctx context.Context, lines scenario.Lines) error {
	if _, err := s.queue(ctx, lines, carrier.Expectation{}); err != nil {
		return err
	}
	return s.played(ctx)
}

// tellCommon says texts of the book to their end.
func (s *session) tellCommon(ctx context.Context, names ...common) error {
	return s.tell(ctx, s.commons(names...))
}

func (s *session) commons(names ...common) scenario.Lines {
	var lines scenario.Lines
	for _, name := range names {
		lines = append(lines, scenario.Line{Text: s.Book.common[name]})
	}
	return lines
}

// queue has lines said one after another; what is expected belongs to the last of them. It returns how many can be
// heard: lines that can't be spoken are left out, with an error entry unless they are optional. Where no answer is
// expected, each is said as soon as its sound is there, while the next is being made.
func (s *session) queue(ctx context.Context, lines scenario.Lines, expects carrier.Expectation) (int, error) {
	asked, n := expects.Kind != "", 0
	var ready []carrier.Speech
	for _, line := range lines {
		said, ok, err := s.sayable(ctx, line)
		switch {
		case err != nil:
			return 0, err
		case !ok:
			continue
		case asked:
			ready = append(ready, said)
		default:
			s.start(said, true)
		}
		n++
	}
	for i, said := range ready {
		last := i == len(ready)-1
		if last {
			said.Expects = expects
		}
		s.start(said, !last)
	}
	return n, nil
}

// sayable makes the sound of a line; false when it is left out.
func (s *session) sayable(ctx context.Context, line scenario.Line) (carrier.Speech, bool, error) {
	text, ok := s.words(line.Text)
	if !ok || text == "" {
		if !line.Optional {
			s.trouble("value_missing", "A line was left out, because a value of it is missing: %s", line.Text)
		}
		return carrier.Speech{}, false, nil
	}
	sound, err := s.voice(ctx, text)
	switch {
	case err == nil:
		return carrier.Speech{Text: text, PCM: sound.PCM}, true, nil
	case !errors.Is(err, errVoice):
		return carrier.Speech{}, false, err
	case !line.Optional:
		s.trouble("speech_failed", "A line was left out, because nothing can speak it: %s", text)
	}
	return carrier.Speech{}, false, nil
}

// errVoice is any failure to make a sound; what else voice returns ends the conversation.
var errVoice = errors.New("no sound")

// voice makes the sound of a text.
func (s *session) voice(ctx context.Context, text string) (speech.Sound, error) {
	sound, err := beside(ctx, s, speechTime, nil, func(ctx context.Context) (speech.Sound, error) {
		return s.Speak.Speak(ctx, speech.Request{OrgID: s.OrgID, Text: text, Voice: s.Scenario.Voice})
	})
	var failed *besideError
	if errors.As(err, &failed) || err == nil && len(sound.PCM) == 0 {
		return sound, errVoice
	}
	return sound, err
}

// start hands one text to the line, with a pause behind it unless an answer is waited for.
func (s *session) start(said carrier.Speech, paused bool) {
	from := s.now + s.Line.Queued()
	length := time.Duration(len(said.PCM)) * time.Second / carrier.Rate
	s.playing = append(s.playing, utterance{said.Text, from, from + length})
	if paused {
		silence := make([]int16, int(pause*carrier.Rate/time.Second))
		said.PCM = append(said.PCM[:len(said.PCM):len(said.PCM)], silence...)
	}
	s.Line.Say(said)
}

// sounding says whether something is still to be played.
func (s *session) sounding() bool {
	if len(s.playing) == 0 {
		return s.Line.Queued() > 0
	}
	end := s.playing[len(s.playing)-1].end
	return s.now < end || s.Line.Queued() > 0 && s.now < end+patience
}

// played waits until everything was.
func (s *session) played(ctx context.Context) error {
	for s.sounding() {
		if err := s.tick(ctx); err != nil {
			return err
		}
	}
	return nil
}

// settlePlayed writes down what was heard to its end.
func (s *session) settlePlayed() {
	for len(s.playing) > 0 && s.playing[0].end <= s.now {
		u := s.playing[0]
		s.playing = s.playing[1:]
		s.assistant(u, u.text, u.end)
	}
}

func (s *session) assistant(u utterance, text string, end time.Duration) {
	s.message(call.Message{
		Role: call.Assistant, Content: text, Start: u.start.Seconds(), End: end.Seconds(), Confidence: 1,
	})
}

// cut stops speaking at once.
func (s *session) cut() {
	s.Line.Flush()
	s.cutAt(s.now)
}

// cutAt writes down what was played until then: of a text that was cut, as many words as its time had room for.
func (s *session) cutAt(now time.Duration) {
	s.settlePlayed()
	for _, u := range s.playing {
		if now <= u.start {
			break
		}
		words := strings.Fields(u.text)
		n := int(float64(len(words)) * float64(now-u.start) / float64(u.end-u.start))
		if n > 0 {
			s.assistant(u, strings.Join(words[:n], " "), now)
		}
	}
	s.playing = nil
}
