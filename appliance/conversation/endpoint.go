package conversation

import (
	"time"

	"munadi/appliance/conversation/phrase"
	"munadi/appliance/conversation/slot"
	"munadi/engine/arabic"
	"munadi/engine/grammar"
	"munadi/store/scenario"
)

// Silences that end a turn (endpointing), by what was said until then. A step's patience scales them.
const (
	completeSilence   = 192 * time.Millisecond  // after an answer to which nothing can be added
	extensibleSilence = 320 * time.Millisecond  // after one that may go on, "at five" … "in the evening", or is less sure
	doubtfulSilence   = 448 * time.Millisecond  // after one of which the recognizer is not sure
	usualSilence      = 700 * time.Millisecond  // after other words, or none
	longTurnSilence   = 1000 * time.Millisecond // after other words of a turn of longTurn and more
	unfinishedSilence = 1500 * time.Millisecond // after the beginning of an answer, or a word that others follow

	// longTurn is the speech of a turn after which people pause for longer. Of 781 recordings of a man who reads whole
	// sentences, 700 ms of silence interrupt 4.5 % of the turns, and 1000 ms 1.3 %.
	longTurn = 1500 * time.Millisecond

	// sureProbability is that of a reading from which on a complete answer is taken as such.
	sureProbability = 0.75
)

// addsOnly are the types of answers that mean the same, whatever else follows: "on Sunday" … "next".
var addsOnly = map[scenario.SlotType]bool{scenario.YesNo: true, scenario.Date: true}

// PausedTurn is an open turn in a pause of its speech; see [RecognizerReport].
type PausedTurn struct {
	Start, End float64
	Text       string
	Confidence float64
	Readings   []slot.AnswerReading
}

// turnSilence returns how long the silence after a turn's speech must be to end the turn.
func (s *conversationSession) turnSilence(t PausedTurn) time.Duration {
	q := s.asked
	if q == nil || s.ears.lineTime(t.Start) < q.from-earlyTolerance {
		return usualSilence
	}
	if words := phrase.FoldWords(t.Text); s.held != nil && s.passesOver(q, words, t) {
		return 0 // the prompt goes on
	}
	return time.Duration(float64(s.silenceAfter(q, t)) * q.patience)
}

// silenceAfter returns the silence that ends a turn at a question, before it is scaled.
func (s *conversationSession) silenceAfter(q *openQuestion, t PausedTurn) time.Duration {
	words := phrase.FoldWords(t.Text)
	if len(t.Readings) > 0 {
		words = phrase.FoldWords(t.Readings[0].Text)
	}
	if len(words) == 0 {
		return usualSilence
	}
	progress, several := q.measureAnswer(words), false
	if progress == grammar.Foreign {
		progress = q.measureParts(words)
		several = progress >= grammar.Extensible
	}
	said := slot.HeardAnswer{Text: t.Text, Confidence: t.Confidence, Readings: t.Readings}
	answer, understood := slot.UnderstandAnswer(q.slot, said, s.localDay())
	switch {
	case progress == grammar.Beginning, s.Book.unfinished.EndsWith(words), q.lacksHour(words):
		return unfinishedSilence
	case progress == grammar.Foreign, !understood && q.slot.Digits > 1:
		return silenceAfterOther(t)
	case !understood: // complete, but it will not be believed: to ask again takes no longer than to go on
		return doubtfulSilence
	}
	unsure := len(t.Readings) > 0 && t.Readings[0].Probability < sureProbability
	switch digits := q.slot.Digits > 1; { // of digits that were heard unclearly one may be missing
	case answer.Doubtful && digits:
		return silenceAfterOther(t)
	case answer.Doubtful, unsure && digits:
		return doubtfulSilence
	case unsure, several, progress == grammar.Extensible && !addsOnly[q.slot.Type]:
		return extensibleSilence
	}
	return completeSilence
}

func silenceAfterOther(t PausedTurn) time.Duration {
	if time.Duration((t.End-t.Start)*float64(time.Second)) >= longTurn {
		return longTurnSilence
	}
	return usualSilence
}

// measureAnswer returns how complete words are as an answer to the question, by its grammar; [grammar.Foreign] without
// one.
func (q *openQuestion) measureAnswer(words []string) grammar.Completeness {
	if q.progress == nil {
		q.progress = followAnswers(slot.AnswerGrammar(q.slot))
	}
	return q.progress.Measure(words)
}

// maxPartWords is the largest number of words in which several answers are looked for.
const maxPartWords = 12

// measureParts returns how complete words are as the answer to the question beside answers to the other questions that
// it may answer, in any order ("three shawarma", "no, on Sunday"); [grammar.Foreign] without its own answer.
func (q *openQuestion) measureParts(words []string) grammar.Completeness {
	if len(q.also) == 0 || len(words) > maxPartWords {
		return grammar.Foreign
	}
	if q.parts == nil {
		q.parts = []*grammar.AnswerProgress{q.progress}
		for _, other := range q.also {
			q.parts = append(q.parts, followAnswers(slot.AnswerGrammar(other)))
		}
	}
	return measureSplit(words, q.parts)
}

// measureSplit returns how complete the last part is where words are split into answers, of which exactly one is by the
// first grammar.
func measureSplit(words []string, answers []*grammar.AnswerProgress) (most grammar.Completeness) {
	// Whether a split into whole answers ends at a word, without and with the first grammar's.
	without, with := make([]bool, len(words)), make([]bool, len(words))
	without[0] = true
	for from := range words {
		if !without[from] && !with[from] {
			continue
		}
		for i, one := range answers {
			for to := from + 1; to <= len(words); to++ {
				part := one.Measure(words[from:to])
				if part == grammar.Foreign {
					break
				}
				own := i == 0
				switch whole := part >= grammar.Extensible; {
				case to == len(words) && (own && without[from] || !own && with[from]):
					most = max(most, part)
				case to < len(words) && whole && own:
					with[to] = with[to] || without[from]
				case to < len(words) && whole:
					without[to], with[to] = without[to] || without[from], with[to] || with[from]
				}
			}
		}
	}
	return most
}

// lacksHour reports whether the answer to a question for a time has only named the day so far.
func (q *openQuestion) lacksHour(words []string) bool {
	return q.slot.Type == scenario.Time &&
		followAnswers(slot.AnswerGrammar(scenario.AnswerSlot{Type: scenario.Date})).Measure(words) >= grammar.Extensible
}

// followAnswers compiles a grammar; any words are [grammar.Foreign] to none.
func followAnswers(g *grammar.RuleGrammar) *grammar.AnswerProgress {
	if g == nil {
		return &grammar.AnswerProgress{}
	}
	p, err := g.FollowAnswers(arabic.FoldSpelling)
	if err != nil { // too large: the recognizer has none either
		return &grammar.AnswerProgress{}
	}
	return p
}
