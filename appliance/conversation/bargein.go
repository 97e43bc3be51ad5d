package conversation

import (
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/slot"
	"munadi/engine/audio"
)

// Barge-in: when somebody speaks into a question the prompt falls silent at once, and is kept. If they say words, it is
// dropped; after a back-channel ("yes", "mhm" while they are being told something), a cough or a noise it goes on where
// it stopped. The echo of the prompt is no speech.

const (
	// blipLimit is how long a turn may take to follow its onset: shorter sounds are none.
	blipLimit = 160 * time.Millisecond
	// rewindLimit is how far a prompt that goes on is taken back, to a pause between its words.
	rewindLimit = 300 * time.Millisecond
)

// heldSpeech is a prompt that was interrupted, perhaps.
type heldSpeech struct {
	since time.Duration
	rest  []queuedUtterance // what was not played to its end
	asks  bool              // the question itself was being asked
}

// followInterruption holds the prompt when somebody begins to speak, and lets it go on when nothing followed.
func (s *conversationSession) followInterruption(q *openQuestion) {
	if s.held != nil {
		if !s.ears.talking && len(s.turns) == 0 && s.now-s.held.since >= blipLimit {
			s.ears.likely = false
			s.resumeSpeech(q)
		}
		return
	}
	speech := s.ears.likely && s.ears.since >= q.from-earlyTolerance
	if speech && len(s.playing) > 0 && s.isSpeaking() && !s.echo.isEcho() {
		s.holdSpeech()
	}
}

// holdSpeech silences the prompt.
func (s *conversationSession) holdSpeech() {
	s.recordPlayed()
	if len(s.playing) == 0 {
		return
	}
	s.Line.Flush()
	s.held = &heldSpeech{since: s.now, rest: s.playing, asks: s.isAsking()}
	s.playing = nil
}

// isAsking reports whether the question itself is being played: the last sentence of the last line. What comes before
// tells something.
func (s *conversationSession) isAsking() bool {
	if len(s.playing) != 1 {
		return len(s.playing) == 0
	}
	u := s.playing[0]
	text := strings.TrimRight(u.text, ".!?؟ ")
	told := strings.LastIndexAny(text, ".!?؟،") + 1
	share := float64(len(text[:told])) / float64(max(1, len(text)))
	return u.playedShare(s.now) >= share
}

// resumeSpeech plays the held prompt on.
func (s *conversationSession) resumeSpeech(q *openQuestion) {
	h := s.held
	s.held = nil
	h.rest[0].first = h.rest[0].resumeAt(h.since)
	s.requeueSpeech(h.rest)
	q.listened = s.now
}

// requeueSpeech queues utterances that were taken off the line again: the first one from its sample first on.
func (s *conversationSession) requeueSpeech(rest []queuedUtterance) {
	for i, u := range rest {
		said := u.sound
		said.PCM = said.PCM[u.first:]
		if said.Wide != nil {
			said.Wide = said.Wide[2*u.first:]
		}
		u.from = s.now + s.Line.Queued()
		played := time.Duration(u.first) * time.Second / carrier.Rate
		u.end = u.from + u.length - played
		if i > 0 {
			u.start = u.from
		}
		s.playing = append(s.playing, u)
		s.Line.Say(said)
	}
}

// resumeAt returns the sample from which a prompt that stopped at a time goes on: the quietest frame shortly before.
func (u queuedUtterance) resumeAt(stopped time.Duration) int {
	at := u.first + max(0, int((stopped-u.from)*carrier.Rate/time.Second))
	at = min(at, len(u.sound.PCM))
	best, lowest := at, -1.0
	earliest := max(u.first, at-int(rewindLimit*carrier.Rate/time.Second))
	for from := at - carrier.Samples; from >= earliest; from -= carrier.Samples {
		if level := audio.SumSquares(u.sound.PCM[from : from+carrier.Samples]); lowest < 0 || level < lowest {
			best, lowest = from, level
		}
	}
	return best
}

// isPassed reports whether a turn that is over did not interrupt the prompt, which then goes on.
func (s *conversationSession) isPassed(q *openQuestion, t speechTurn) bool {
	if s.held == nil {
		return false
	}
	if !s.passesOver(q, t.words, PausedTurn{Text: t.text, Confidence: t.confidence, Readings: t.readings}) {
		return false
	}
	s.resumeSpeech(q)
	return true
}

// passesOver reports whether words that were said into a prompt do not interrupt it: none, or a back-channel that
// answers nothing. While something is told, a doubtful yes of one word is taken for a misheard one («إي» for «أيو»).
func (s *conversationSession) passesOver(q *openQuestion, words []string, t PausedTurn) bool {
	if len(words) == 0 {
		return true
	}
	a, answers := slot.UnderstandAnswer(
		q.slot, slot.HeardAnswer{Text: t.Text, Confidence: t.Confidence, Readings: t.Readings}, s.localDay(),
	)
	listens := s.Book.backchannels.CoversAll(words)
	if s.held.asks {
		return listens && !answers
	}
	return listens || answers && a.Doubtful && a.Value == true && len(words) == 1
}
