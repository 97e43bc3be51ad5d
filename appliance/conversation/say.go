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
	unsaid     string        // words after it for which there is no sound, since the voice failed
	start, end time.Duration // of its sound; a pause while it is held lies between
	length     time.Duration // of its sound without such pauses
	sound      carrier.Speech
	from       time.Duration // when its sound was queued to play from sample first on
	first      int
	reply      *call.ReplyTiming // nil: it is no reply
	step       string            // see [call.Message]
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
	var ready []renderedLine
	for i, line := range lines {
		said, ok, err := s.renderSpeech(ctx, line, !asked || i == len(lines)-1)
		if err == nil && ok && !asked {
			err = s.awaitGrown(ctx)
		}
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
	if asked {
		if err := s.awaitGrown(ctx); err != nil {
			return 0, err
		}
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

// renderedLine is a line's sound.
type renderedLine struct {
	carrier.Speech
	growing *growingSound // nil: it is whole
}

// renderLine synthesizes a line as a whole; false if it is left out.
func (s *conversationSession) renderLine(ctx context.Context, line scenario.SpokenLine) (carrier.Speech, bool, error) {
	said, ok, err := s.renderSpeech(ctx, line, false)
	return said.Speech, ok, err
}

// renderSpeech synthesizes a line; false if it is left out. A streamed one is there as soon as its beginning is.
func (s *conversationSession) renderSpeech(
	ctx context.Context, line scenario.SpokenLine, streamed bool,
) (said renderedLine, ok bool, err error) {
	text, ok := s.renderText(line.Text)
	if !ok || text == "" {
		if !line.Optional {
			s.addError("value_missing", "A line was left out, because a value of it is missing: %s", line.Text)
		}
		return said, false, nil
	}
	promise := s.promisesCallBack(line, text)
	if promise && !s.MayCallBack {
		if !line.CallBack { // the scenario does not expect its own words to be left out
			s.addError(
				"call_back_left_out", "A promise to call again was left out, because no further attempt is planned: %s",
				s.Text.FormatText(text),
			)
		}
		return said, false, nil
	}
	var sound streamedSpeech
	if streamed && !s.Timeless {
		sound, err = s.streamText(ctx, text)
	} else {
		sound.SpokenSound, err = s.synthesizeText(ctx, text)
	}
	switch {
	case err == nil:
		s.callBack = s.callBack || promise
		said.Speech = carrier.Speech{Text: text, PCM: sound.PCM, Wide: sound.Wide, Rest: sound.rest}
		said.growing = sound.growing
		return said, true, nil
	case !errors.Is(err, errVoice):
		return said, false, err
	case !line.Optional:
		s.addError("speech_failed", "A line was left out, because nothing can speak it: %s", s.Text.FormatText(text))
	}
	return said, false, nil
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
		return s.Speak.Speak(ctx, s.speechRequest(text))
	})
	return sound, voiceError(sound, err)
}

func (s *conversationSession) speechRequest(text string) tts.SpeechRequest {
	return tts.SpeechRequest{OrgID: s.OrgID, Text: text, Voice: s.Scenario.Voice}
}

// voiceError returns [errVoice] for a voice that failed or gave no sound; other errors stay.
func voiceError(sound tts.SpokenSound, err error) error {
	var failed *besideError
	if errors.As(err, &failed) || err == nil && len(sound.PCM) == 0 {
		return errVoice
	}
	return err
}

// startSpeech queues one text on the line, followed by a pause unless it expects an answer.
func (s *conversationSession) startSpeech(line renderedLine, paused bool) {
	said, from := line.Speech, s.now+s.Line.Queued()
	length := time.Duration(len(said.PCM))*time.Second/carrier.Rate + said.Rest
	if line.growing != nil {
		s.growing = line.growing
		s.growing.paused = paused
	} else if paused {
		said = withPause(said)
	}
	u := queuedUtterance{
		text: said.Text, start: from, end: from + length, length: length, sound: said, from: from, step: s.stepID(),
	}
	u.reply = s.takeReply(u)
	s.playing = append(s.playing, u)
	s.Line.Say(said)
}

// playedShare returns the part of an utterance that was played until a time, of 1.
func (u queuedUtterance) playedShare(at time.Duration) float64 {
	played := time.Duration(u.first)*time.Second/carrier.Rate + max(0, at-u.from)
	return min(1, float64(played)/float64(max(1, u.length)))
}

// cutText leaves the words of an utterance that fit a share of its sound, of 1; the others are unsaid.
func (u *queuedUtterance) cutText(share float64) {
	words := strings.Fields(u.text)
	n := int(float64(len(words)) * share)
	u.text, u.unsaid = strings.Join(words[:n], " "), strings.TrimSpace(strings.Join(words[n:], " ")+" "+u.unsaid)
}

// withPause returns speech that a pause follows.
func withPause(said carrier.Speech) carrier.Speech {
	n := int(pause * carrier.Rate / time.Second)
	said.PCM = withSilence(said.PCM, n)
	if said.Wide != nil {
		said.Wide = withSilence(said.Wide, 2*n)
	}
	return said
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
		s.addAssistantMessage(u, u.text, u.unsaid, u.end)
	}
}

// addAssistantMessage records a text that was played until a time, and what remained of it.
func (s *conversationSession) addAssistantMessage(u queuedUtterance, text, unsaid string, end time.Duration) {
	s.addCutMessage(call.Message{
		Role: call.Assistant, Content: text, Start: s.lineAt(u.start).Seconds(), End: s.lineAt(end).Seconds(),
		Confidence: 1, Step: u.step, ReplyTiming: u.reply,
	}, unsaid)
}

// stopSpeaking discards the queued audio (barge-in) and records the part that was played.
func (s *conversationSession) stopSpeaking() {
	s.Line.Flush()
	s.recordInterrupted(s.now)
}

// recordInterrupted records the part played until then: of an interrupted text, the words that fit its playing time.
func (s *conversationSession) recordInterrupted(now time.Duration) {
	s.endGrowth()
	s.recordPlayed()
	if s.held != nil {
		s.playing, now, s.held = s.held.rest, s.held.since, nil
	}
	for _, u := range s.playing {
		if now <= u.start {
			break
		}
		if u.cutText(u.playedShare(now)); u.text != "" {
			s.addAssistantMessage(u, u.text, u.unsaid, now)
		}
	}
	s.playing = nil
}
