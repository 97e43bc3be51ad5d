package conversation

import (
	"slices"

	"munadi/appliance/conversation/phrase"
	"munadi/store/scenario"
)

// callerIntent is a request that people may make at any question.
type callerIntent string

const (
	noIntent    callerIntent = ""
	optOut      callerIntent = "opt_out"
	wrongNumber callerIntent = "wrong_number"
	busy        callerIntent = "busy"
	agent       callerIntent = "agent"
	who         callerIntent = "who"
	details     callerIntent = "details"
	options     callerIntent = "options"
	repeat      callerIntent = "repeat"
	hello       callerIntent = "hello"
	wait        callerIntent = "wait"
	goodbye     callerIntent = "goodbye"
)

func allIntents() []callerIntent {
	return []callerIntent{optOut, wrongNumber, busy, agent, who, details, options, repeat, hello, wait, goodbye}
}

// intentInterruption is the error of an intent that ends the planned conversation. It unwinds to the loop over the
// steps.
type intentInterruption struct{ intent callerIntent }

func (i *intentInterruption) Error() string { return "the person wants otherwise: " + string(i.intent) }

// findBreakingIntent finds an intent that ends the conversation or takes it elsewhere. open is for the answer to an
// open question.
func (s *conversationSession) findBreakingIntent(words []string, open bool) callerIntent {
	if s.optOuts.IndexIn(words) >= 0 {
		return optOut
	}
	for _, name := range []callerIntent{wrongNumber, agent, busy} {
		if open && name != agent || name == agent && s.isOffered(words) {
			continue
		}
		if s.Book.intents[name].IndexIn(words) >= 0 {
			return name
		}
	}
	return noIntent
}

// isOffered reports whether words name one of the choices of the question that is asked: "a member of staff" is then an
// answer.
func (s *conversationSession) isOffered(words []string) bool {
	return s.asked != nil && slices.ContainsFunc(s.asked.slot.Choices, func(o scenario.ChoiceOption) bool {
		return phrase.NewList(o.Phrases).IndexIn(words) >= 0
	})
}

// findMinorIntent finds an intent that the current question handles: repeat, who is calling, what it is about, one
// moment.
func (s *conversationSession) findMinorIntent(words []string) callerIntent {
	if found := s.findIntentOf(words, who, details, repeat); found != noIntent {
		return found
	}
	if s.Book.intents[hello].CoversAll(words) {
		return hello
	}
	if s.Book.intents[wait].IndexIn(words) >= 0 && s.Book.waits.CoversAll(words) {
		return wait
	}
	return noIntent
}

// findLateIntent finds an intent in words that answer no question: a goodbye, or what can be chosen.
func (s *conversationSession) findLateIntent(words []string) callerIntent {
	return s.findIntentOf(words, goodbye, options)
}

// findIntentOf returns the first of the intents whose phrases are among the words.
func (s *conversationSession) findIntentOf(words []string, of ...callerIntent) callerIntent {
	for _, name := range of {
		if s.Book.intents[name].IndexIn(words) >= 0 {
			return name
		}
	}
	return noIntent
}

// questionPhrases returns the phrases of the scenario's side questions.
func questionPhrases(s scenario.Scenario) (all []phrase.PhraseList) {
	for _, q := range s.Questions {
		all = append(all, phrase.NewList(q.Phrases))
	}
	return all
}

// findSideQuestion returns what is said to the first side question among the words; nil for none. In the answer to an
// open question only words that are nothing else count: else they belong to it.
func (s *conversationSession) findSideQuestion(words []string) scenario.SpokenLines {
	for i, q := range s.questions {
		if q.CoversAll(words) || !s.open && q.IndexIn(words) >= 0 {
			return s.Scenario.Questions[i].Say
		}
	}
	return nil
}

// optOutPhrases returns the built-in opt-out phrases and the scenario's own.
func optOutPhrases(b *PhraseBook, own []string) phrase.PhraseList {
	return b.intents[optOut].AppendPhrases(slices.Clone(own))
}
