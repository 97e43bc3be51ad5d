package conversation

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/slot"
	"munadi/engine/grammar"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

const (
	earlyTolerance    = 200 * time.Millisecond // tolerance for an answer, spoken or keyed, that begins before its question
	keyPause          = 2 * time.Second        // that ends a number keyed in
	patienceTime      = 20 * time.Second       // answer timeout after "one moment"
	wordlessLimit     = 1 * time.Second        // sound without a word of this length is an answer not understood
	silenceAfterSound = 2 * time.Second        // silence after shorter sound: that was an answer, too
	longestRun        = 20 * time.Second       // of speech or noise without a pause
)

// openQuestion is the state of a question that is not answered yet.
type openQuestion struct {
	slot     scenario.AnswerSlot
	also     []scenario.AnswerSlot // other slots that the same answer may fill
	lines    scenario.SpokenLines
	again    int // earlier attempts
	timeout  time.Duration
	noBarge  bool
	patience float64                   // scales the silences that end the answer
	progress *grammar.AnswerProgress   // of its grammar; nil: not compiled yet
	parts    []*grammar.AnswerProgress // that and those of also; nil: not compiled yet
	from     time.Duration             // when it began to play
	listened time.Duration             // since when the silence lasts
	resumed  bool                      // the call was on hold after it was asked
	wordless time.Duration             // when the last sound without a word was over; 0: none since the question
}

// questionReply is the result of a question.
type questionReply struct {
	kind   replyKind
	answer slot.SlotAnswer
	said   slot.HeardAnswer
	told   scenario.SpokenLines // to a side question, which may stand beside an answer
}

type replyKind int

const (
	pending replyKind = iota
	understood
	unclear
	partly // other slots were filled, not this one
	silent
	askAgain   // repeat the question
	askWho     // say who is calling, then the question
	askDetails // say again what was told, then the question
	askOptions // say what can be chosen, then the question
	askAside   // say what the scenario says to a side question, then the question
	leaving    // a goodbye
	unspoken   // no voice could speak it
	resumed    // the call was on hold: it is asked again
)

// isRequest reports whether the person asks to hear something again.
func (k replyKind) isRequest() bool {
	return k == askAgain || k == askWho || k == askDetails || k == askOptions || k == askAside
}

// askQuestion asks a question and waits for its outcome.
func (s *conversationSession) askQuestion(ctx context.Context, q openQuestion) (questionReply, error) {
	defer func() { s.open = false }()
	for {
		q := q
		s.prepareQuestion(q)
		n, err := s.queueLines(ctx, q.lines, simulatorExpectation(q))
		if err != nil || n == 0 {
			return questionReply{kind: unspoken}, err
		}
		s.listenFrom(&q)
		if r, err := s.listenForAnswer(ctx, &q); r.kind != resumed {
			return r, err
		}
	}
}

// prepareQuestion discards earlier speech and sets the recognizer's expectation for a question.
func (s *conversationSession) prepareQuestion(q openQuestion) {
	s.turns, s.pressed = nil, ""
	s.open = q.slot.Type == scenario.Text
	s.expectPhrases(s.Book.expectedPhrases(q.slot, s.Scenario.Questions), slot.AnswerGrammar(q.slot))
}

// listenForAnswer waits for the reply to a question that is playing.
func (s *conversationSession) listenForAnswer(ctx context.Context, q *openQuestion) (questionReply, error) {
	s.asked, s.awaiting = q, nil
	defer func() {
		if s.asked = nil; s.held != nil {
			s.stopSpeaking()
		}
	}()
	for {
		if err := s.nextFrame(ctx); err != nil {
			return questionReply{}, err
		}
		if q.resumed {
			return questionReply{kind: resumed}, nil
		}
		if r := s.checkFrame(q); r.kind != pending {
			return r, nil
		}
	}
}

// recognizerHint is the recognizer's expectation.
type recognizerHint struct {
	phrases []string
	answers *grammar.RuleGrammar
}

// expectPhrases sets the recognizer's expectation for the next turn, including a machine's sentences while one may
// speak.
func (s *conversationSession) expectPhrases(phrases []string, answers *grammar.RuleGrammar) {
	if s.detector != nil && s.detector.IsOpen(s.now) {
		phrases = append(phrases[:len(phrases):len(phrases)], s.Book.machines.Sentences...)
	}
	s.hint = &recognizerHint{phrases, answers}
	if !s.ears.talking {
		s.expectNow()
	}
}

// expectNow passes the expectation to the recognizer, unless a turn is open: it belongs to an earlier question and
// keeps its expectation.
func (s *conversationSession) expectNow() {
	if err := s.Hear.ExpectPhrases(s.hint.phrases, s.hint.answers); err != nil {
		s.addError("recognizer_failed", "The recognizer can't be told what to expect.")
	}
	s.hint = nil
}

// listenFrom sets the time from which speech answers the question: the start of its audio, or now.
func (s *conversationSession) listenFrom(q *openQuestion) {
	q.from, q.listened = s.now, s.now
	if len(s.playing) > 0 {
		q.from = s.playing[0].start
	}
}

func simulatorExpectation(q openQuestion) carrier.AnswerExpectation {
	e := carrier.AnswerExpectation{Kind: string(q.slot.Type), Slot: q.slot.Name, Again: q.again}
	for _, o := range q.slot.Choices {
		e.Phrases = append(e.Phrases, o.Phrases[0])
	}
	return e
}

// checkFrame returns the outcome of a question after the last frame.
func (s *conversationSession) checkFrame(q *openQuestion) questionReply {
	sounding := s.isSpeaking()
	if s.pressing < q.from-earlyTolerance { // before the question, or in frames that were not read until now
		s.pressed = ""
	}
	if sounding && q.noBarge {
		s.turns, s.pressed, q.listened = nil, "", s.now
		return questionReply{}
	}
	if sounding && s.pressed != "" {
		s.stopSpeaking()
	}
	s.followInterruption(q)
	for len(s.turns) > 0 {
		t := s.turns[0]
		s.turns = s.turns[1:]
		if t.start < q.from-earlyTolerance {
			if !sounding { // who talked over the whole question did not hear it
				q.wordless = s.now
			}
			continue
		}
		if s.isPassed(q, t) {
			continue
		}
		if r := s.judgeTurn(q, t); r.kind != pending {
			s.noteAnswered(t.end)
			if sounding {
				s.stopSpeaking()
			}
			return r
		}
	}
	if s.pressed != "" {
		return s.judgeKeys(q)
	}
	return s.judgeSilence(q, sounding)
}

// judgeTurn evaluates one turn.
func (s *conversationSession) judgeTurn(q *openQuestion, t speechTurn) questionReply {
	if len(t.words) == 0 {
		if t.end-t.start >= wordlessLimit {
			return questionReply{kind: unclear}
		}
		if !s.isSpeaking() {
			q.wordless = s.now
		}
		return questionReply{}
	}
	switch s.findMinorIntent(t.words) {
	case who:
		return questionReply{kind: askWho}
	case details:
		if !s.open { // else it is an answer
			return questionReply{kind: askDetails}
		}
	case repeat, hello:
		return questionReply{kind: askAgain}
	case wait:
		q.listened = s.now + patienceTime - q.timeout
		return questionReply{}
	}
	if s.open && s.Book.intents[goodbye].CoversAll(t.words) { // else it would be a text like any other
		return questionReply{kind: leaving}
	}
	said := slot.HeardAnswer{Text: t.text, Confidence: t.confidence, Readings: t.readings}
	told := s.findSideQuestion(t.words)
	if told != nil && s.open {
		return questionReply{kind: askAside, told: told}
	}
	if a, ok := s.understandAnswer(q.slot, said); ok {
		return questionReply{kind: understood, answer: a, said: said, told: told}
	}
	if told != nil {
		return questionReply{kind: askAside, told: told}
	}
	switch s.findLateIntent(t.words) {
	case goodbye:
		return questionReply{kind: leaving}
	case options:
		return questionReply{kind: askOptions}
	}
	return questionReply{kind: unclear, said: said}
}

// understandAnswer returns the value of an answer; a time may be named by a prayer where the organization has a city.
func (s *conversationSession) understandAnswer(
	asked scenario.AnswerSlot, said slot.HeardAnswer,
) (slot.SlotAnswer, bool) {
	if a, ok := slot.UnderstandAnswer(asked, said, s.localDay()); ok {
		return a, true
	}
	city, ok := callrules.FindCity(s.City)
	if !ok || asked.Type != scenario.Time {
		return slot.SlotAnswer{}, false
	}
	return slot.UnderstandPrayerTime(said, city, s.appointedDay())
}

// appointedDay returns the last date that the call agreed on, else today.
func (s *conversationSession) appointedDay() time.Time {
	day := s.localDay()
	for _, step := range s.Scenario.Steps {
		if step.Slot == nil || step.Slot.Type != scenario.Date {
			continue
		}
		if named, ok := s.found[step.Slot.Name].(string); ok {
			if d, err := time.ParseInLocation(time.DateOnly, named, s.Zone); err == nil {
				day = d
			}
		}
	}
	return day
}

// judgeKeys evaluates the pressed keys.
func (s *conversationSession) judgeKeys(q *openQuestion) questionReply {
	value, state := slot.AnswerByKeys(q.slot, s.pressed, s.now-s.pressedAt >= keyPause)
	if state == slot.More {
		return questionReply{}
	}
	s.addMessage(call.Message{
		Role: call.User, Content: s.pressed, Confidence: 1,
		Start: s.lineAt(s.pressing).Seconds(), End: s.lineAt(s.pressedAt).Seconds(),
	})
	s.pressed = ""
	s.noteAnswered(s.pressedAt)
	if state == slot.NoKeys {
		return questionReply{kind: unclear}
	}
	return questionReply{kind: understood, answer: slot.SlotAnswer{Value: value}}
}

// judgeSilence reports a no-input timeout. It waits while the person speaks, and from the end of the question on.
func (s *conversationSession) judgeSilence(q *openQuestion, sounding bool) questionReply {
	switch {
	case s.ears.talking && s.now-max(s.ears.since, q.from) > longestRun:
		s.ears.talking, s.ears.long = false, false
		return questionReply{kind: unclear}
	case sounding || s.ears.talking:
		q.listened = max(q.listened, s.now)
	case q.wordless > 0 && s.now-max(q.wordless, q.listened) >= silenceAfterSound:
		return questionReply{kind: unclear}
	case s.now-q.listened >= q.timeout:
		return questionReply{kind: silent}
	}
	return questionReply{}
}
