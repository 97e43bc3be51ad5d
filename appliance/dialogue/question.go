package dialogue

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialogue/slot"
	"munadi/engine/grammar"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	early      = 200 * time.Millisecond // by which an answer may begin before its question
	keyPause   = 2 * time.Second        // that ends a number keyed in
	oneMore    = 20 * time.Second       // of patience with who asks for a moment
	babble     = 1 * time.Second        // of sound without a word that is an answer not understood
	puzzled    = 2 * time.Second        // of silence after a shorter one: that was an answer, too
	longestRun = 20 * time.Second       // that somebody, or noise, may go on without an end
)

// question is one question on its way to an answer.
type question struct {
	slot     scenario.Slot
	lines    scenario.Lines
	again    int // how often it was asked before
	timeout  time.Duration
	noBarge  bool
	from     time.Duration // when it began to be said
	listened time.Duration // since when the silence lasts
	wordless time.Duration // when the last sound without a word was over; 0: none since the question
}

// reply is what became of a question.
type reply struct {
	kind   replyKind
	answer slot.Answer
	said   slot.Said
}

type replyKind int

const (
	pending replyKind = iota
	understood
	unclear
	silent
	askAgain // the question is to be repeated
	askWho   // who calls is to be said, then the question
	leaving  // a goodbye
	unspoken // nothing could say it
)

// put asks a question and waits for what comes of it.
func (s *session) put(ctx context.Context, q question) (reply, error) {
	s.prepare(q)
	defer func() { s.open = false }()
	n, err := s.queue(ctx, q.lines, expectation(q))
	if err != nil || n == 0 {
		return reply{kind: unspoken}, err
	}
	s.from(&q)
	return s.listen(ctx, &q)
}

// prepare forgets what was said before a question and tells the recognizer what may be answered to it.
func (s *session) prepare(q question) {
	s.turns, s.pressed = nil, ""
	s.open = q.slot.Type == scenario.Text
	s.expect(s.Book.expected(q.slot), slot.Grammar(q.slot))
}

// listen waits for what becomes of a question that is being said.
func (s *session) listen(ctx context.Context, q *question) (reply, error) {
	for {
		if err := s.tick(ctx); err != nil {
			return reply{}, err
		}
		if r := s.look(q); r.kind != pending {
			return r, nil
		}
	}
}

// hint is what the recognizer is told to expect.
type hint struct {
	phrases []string
	answers *grammar.Grammar
}

// expect tells the recognizer what is likely to be said next: a machine's sentences too, as long as one may speak.
func (s *session) expect(phrases []string, answers *grammar.Grammar) {
	if s.detector != nil && s.detector.Open(s.now) {
		phrases = append(phrases[:len(phrases):len(phrases)], s.Book.machines.Sentences...)
	}
	s.hint = &hint{phrases, answers}
	if !s.ears.talking {
		s.expectNow()
	}
}

// expectNow passes on what is to be expected. Whoever is speaking already answers something else: theirs is heard to
// its end as it began.
func (s *session) expectNow() {
	if err := s.Hear.Expect(s.hint.phrases, s.hint.answers); err != nil {
		s.trouble("recognizer_failed", "The recognizer can't be told what to expect.")
	}
	s.hint = nil
}

// from is when the question begins to be heard.
func (s *session) from(q *question) {
	q.from, q.listened = s.now, s.now
	if len(s.playing) > 0 {
		q.from = s.playing[0].start
	}
}

func expectation(q question) carrier.Expectation {
	e := carrier.Expectation{Kind: string(q.slot.Type), Slot: q.slot.Name, Again: q.again}
	for _, o := range q.slot.Choices {
		e.Phrases = append(e.Phrases, o.Phrases[0])
	}
	return e
}

// look says what has become of a question with the last frame.
func (s *session) look(q *question) reply {
	sounding := s.sounding()
	if sounding && q.noBarge {
		s.turns, s.pressed, q.listened = nil, "", s.now
		return reply{}
	}
	interrupted := s.ears.long && s.ears.since >= q.from-early
	if sounding && (interrupted || s.pressed != "") {
		s.cut()
	}
	for len(s.turns) > 0 {
		t := s.turns[0]
		s.turns = s.turns[1:]
		if t.start < q.from-early {
			continue
		}
		if r := s.answer(q, t); r.kind != pending {
			if sounding {
				s.cut()
			}
			return r
		}
	}
	if s.pressed != "" {
		return s.keyed(q)
	}
	return s.silence(q, sounding)
}

// answer looks at one turn.
func (s *session) answer(q *question, t turn) reply {
	if len(t.words) == 0 {
		if t.end-t.start >= babble {
			return reply{kind: unclear}
		}
		if !s.sounding() {
			q.wordless = s.now
		}
		return reply{}
	}
	switch s.light(t.words) {
	case who:
		return reply{kind: askWho}
	case repeat, hello:
		return reply{kind: askAgain}
	case wait:
		q.listened = s.now + oneMore - q.timeout
		return reply{}
	}
	if s.open && s.Book.intents[goodbye].Covers(t.words) { // else it would be a text like any other
		return reply{kind: leaving}
	}
	said := slot.Said{Text: t.text, Confidence: t.confidence, Readings: t.readings}
	if a, ok := slot.Understand(q.slot, said, s.today()); ok {
		return reply{kind: understood, answer: a, said: said}
	}
	if s.leaves(t.words) {
		return reply{kind: leaving}
	}
	return reply{kind: unclear, said: said}
}

// keyed looks at the keys that were pressed.
func (s *session) keyed(q *question) reply {
	value, state := slot.Keys(q.slot, s.pressed, s.now-s.pressedAt >= keyPause)
	if state == slot.More {
		return reply{}
	}
	s.message(call.Message{
		Role: call.User, Content: s.pressed, Confidence: 1,
		Start: s.pressing.Seconds(), End: s.pressedAt.Seconds(),
	})
	s.pressed = ""
	if state == slot.NoKeys {
		return reply{kind: unclear}
	}
	return reply{kind: understood, answer: slot.Answer{Value: value}}
}

// silence says whether nobody answers. Who is speaking, or heard the question only now, has all the time.
func (s *session) silence(q *question, sounding bool) reply {
	switch {
	case s.ears.talking && s.now-max(s.ears.since, q.from) > longestRun:
		s.ears.talking, s.ears.long = false, false
		return reply{kind: unclear}
	case sounding || s.ears.talking:
		q.listened = max(q.listened, s.now)
	case q.wordless > 0 && s.now-max(q.wordless, q.listened) >= puzzled:
		return reply{kind: unclear}
	case s.now-q.listened >= q.timeout:
		return reply{kind: silent}
	}
	return reply{}
}
