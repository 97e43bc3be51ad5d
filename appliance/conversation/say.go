package conversation

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/phrase"
	"munadi/appliance/tts"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	pause            = 200 * time.Millisecond // between two lines
	playTimeout      = 5 * time.Second        // for a line to play its queue
	synthesisTimeout = 10 * time.Second       // to synthesize a text
	clockGrace       = 250 * time.Millisecond // wall-clock wait for a result before frames are read again
)

// queuedUtterance is a text that is queued or being played.
type queuedUtterance struct {
	text       string
	start, end time.Duration // of its sound; a pause while it is held lies between
	length     time.Duration // of its sound without such pauses
	sound      carrier.Speech
	from       time.Duration // when its sound was queued to play from sample first on
	first      int
	reply      *call.ReplyTiming // nil: it is no reply
}

// sayLines says lines to their end.
func (s *conversationSession) sayLines(ctx context.Context, lines scenario.SpokenLines) error {
	if _, err := s.queueLines(ctx, lines, carrier.AnswerExpectation{}); err != nil {
		return err
	}
	return s.awaitPlayed(ctx)
}

// sayCommonTexts says texts of the book to their end.
func (s *conversationSession) sayCommonTexts(ctx context.Context, names ...commonText) error {
	return s.sayLines(ctx, s.commonLines(names...))
}

func (s *conversationSession) commonLines(names ...commonText) scenario.SpokenLines {
	var lines scenario.SpokenLines
	for _, name := range names {
		lines = append(lines, scenario.SpokenLine{Text: s.Book.common[name], CallBack: name == callLater})
	}
	return lines
}

// queueLines queues lines to be played one after another; the expected answer belongs to the last of them. It returns
// how many can be spoken: others are left out, with an error entry unless they are optional. If no answer is expected,
// each is queued as soon as its audio is ready, while the next is synthesized.
func (s *conversationSession) queueLines(
	ctx context.Context, lines scenario.SpokenLines, expects carrier.AnswerExpectation,
) (int, error) {
	asked, n := expects.Kind != "", 0
	var ready []carrier.Speech
	for _, line := range lines {
		said, ok, err := s.renderLine(ctx, line)
		switch {
		case err != nil:
			return 0, err
		case !ok:
			continue
		case asked:
			ready = append(ready, said)
		default:
			s.startSpeech(said, true)
		}
		n++
	}
	for i, said := range ready {
		last := i == len(ready)-1
		if last {
			said.Expects = expects
		}
		s.startSpeech(said, !last)
	}
	return n, nil
}

// renderLine synthesizes a line; false if it is left out.
func (s *conversationSession) renderLine(ctx context.Context, line scenario.SpokenLine) (carrier.Speech, bool, error) {
	text, ok := s.renderText(line.Text)
	if !ok || text == "" {
		if !line.Optional {
			s.addError("value_missing", "A line was left out, because a value of it is missing: %s", line.Text)
		}
		return carrier.Speech{}, false, nil
	}
	promise := s.promisesCallBack(line, text)
	if promise && !s.MayCallBack {
		if !line.CallBack { // the scenario does not expect its own words to be left out
			s.addError(
				"call_back_left_out", "A promise to call again was left out, because no further attempt is planned: %s",
				s.Text.FormatText(text),
			)
		}
		return carrier.Speech{}, false, nil
	}
	sound, err := s.synthesizeText(ctx, text)
	switch {
	case err == nil:
		s.callBack = s.callBack || promise
		return carrier.Speech{Text: text, PCM: sound.PCM, Wide: sound.Wide}, true, nil
	case !errors.Is(err, errVoice):
		return carrier.Speech{}, false, err
	case !line.Optional:
		s.addError("speech_failed", "A line was left out, because nothing can speak it: %s", s.Text.FormatText(text))
	}
	return carrier.Speech{}, false, nil
}

// promisesCallBack reports whether a line promises another call: by its mark or by its words.
func (s *conversationSession) promisesCallBack(line scenario.SpokenLine, text string) bool {
	return line.CallBack || s.Book.promises.IndexIn(phrase.FoldWords(text)) >= 0
}

// errVoice means that speech could not be synthesized; other errors of voice end the conversation.
var errVoice = errors.New("speech could not be synthesized")

// synthesizeText synthesizes a text within [synthesisTimeout].
func (s *conversationSession) synthesizeText(ctx context.Context, text string) (tts.SpokenSound, error) {
	sound, err := runBesideLine(ctx, s, synthesisTimeout, nil, func(ctx context.Context) (tts.SpokenSound, error) {
		return s.Speak.Speak(ctx, tts.SpeechRequest{OrgID: s.OrgID, Text: text, Voice: s.Scenario.Voice})
	})
	var failed *besideError
	if errors.As(err, &failed) || err == nil && len(sound.PCM) == 0 {
		return sound, errVoice
	}
	return sound, err
}

// startSpeech queues one text on the line, followed by a pause unless it expects an answer.
func (s *conversationSession) startSpeech(said carrier.Speech, paused bool) {
	from := s.now + s.Line.Queued()
	length := time.Duration(len(said.PCM)) * time.Second / carrier.Rate
	if paused {
		n := int(pause * carrier.Rate / time.Second)
		said.PCM = withSilence(said.PCM, n)
		if said.Wide != nil {
			said.Wide = withSilence(said.Wide, 2*n)
		}
	}
	u := queuedUtterance{text: said.Text, start: from, end: from + length, length: length, sound: said, from: from}
	u.reply = s.takeReply(u)
	s.playing = append(s.playing, u)
	s.Line.Say(said)
}

// playedShare returns the part of an utterance that was played until a time, of 1.
func (u queuedUtterance) playedShare(at time.Duration) float64 {
	played := time.Duration(u.first)*time.Second/carrier.Rate + max(0, at-u.from)
	return min(1, float64(played)/float64(max(1, u.length)))
}

// withSilence returns a copy of shared audio followed by n samples of silence.
func withSilence(pcm []int16, n int) []int16 {
	return append(pcm[:len(pcm):len(pcm)], make([]int16, n)...)
}

// isSpeaking reports whether audio is queued or being played.
func (s *conversationSession) isSpeaking() bool {
	if s.held != nil {
		return true
	}
	if len(s.playing) == 0 {
		return s.Line.Queued() > 0
	}
	end := s.playing[len(s.playing)-1].end
	return s.now < end || s.Line.Queued() > 0 && s.now < end+playTimeout
}

// awaitPlayed waits until all queued audio was played.
func (s *conversationSession) awaitPlayed(ctx context.Context) error {
	for s.isSpeaking() {
		if err := s.nextFrame(ctx); err != nil {
			return err
		}
	}
	return nil
}

// recordPlayed records the lines that were played to their end.
func (s *conversationSession) recordPlayed() {
	for len(s.playing) > 0 && s.playing[0].end <= s.now {
		u := s.playing[0]
		s.playing = s.playing[1:]
		s.addAssistantMessage(u, u.text, "", u.end)
	}
}

// addAssistantMessage records a text that was played until a time, and what remained of it.
func (s *conversationSession) addAssistantMessage(u queuedUtterance, text, unsaid string, end time.Duration) {
	s.addCutMessage(call.Message{
		Role: call.Assistant, Content: text, Start: s.lineAt(u.start).Seconds(), End: s.lineAt(end).Seconds(),
		Confidence: 1, ReplyTiming: u.reply,
	}, unsaid)
}

// stopSpeaking discards the queued audio (barge-in) and records the part that was played.
func (s *conversationSession) stopSpeaking() {
	s.Line.Flush()
	s.recordInterrupted(s.now)
}

// recordInterrupted records the part played until then: of an interrupted text, the words that fit its playing time.
func (s *conversationSession) recordInterrupted(now time.Duration) {
	s.recordPlayed()
	if s.held != nil {
		s.playing, now, s.held = s.held.rest, s.held.since, nil
	}
	for _, u := range s.playing {
		if now <= u.start {
			break
		}
		words := strings.Fields(u.text)
		n := int(float64(len(words)) * u.playedShare(now))
		if n > 0 {
			s.addAssistantMessage(u, strings.Join(words[:n], " "), strings.Join(words[n:], " "), now)
		}
	}
	s.playing = nil
}
