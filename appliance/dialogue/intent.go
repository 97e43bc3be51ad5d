package dialogue

import (
	"slices"

	"munadi/appliance/dialogue/phrase"
)

// intent is something that people ask for whatever the question was.
type intent string

const (
	noIntent    intent = ""
	optOut      intent = "opt_out"
	wrongNumber intent = "wrong_number"
	busy        intent = "busy"
	agent       intent = "agent"
	who         intent = "who"
	repeat      intent = "repeat"
	hello       intent = "hello"
	wait        intent = "wait"
	goodbye     intent = "goodbye"
)

func intents() []intent {
	return []intent{optOut, wrongNumber, busy, agent, who, repeat, hello, wait, goodbye}
}

// interruption is an intent that the conversation can't go on from as planned. It unwinds to where steps are walked.
type interruption struct{ intent intent }

func (i *interruption) Error() string { return "the person wants otherwise: " + string(i.intent) }

// weighty finds an intent that ends the conversation or takes it elsewhere. open is for the answer to an open question.
func (s *session) weighty(words []string, open bool) intent {
	if s.optOuts.In(words) >= 0 {
		return optOut
	}
	for _, name := range []intent{wrongNumber, agent, busy} {
		if open && name != agent {
			continue
		}
		if s.Book.intents[name].In(words) >= 0 {
			return name
		}
	}
	return noIntent
}

// light finds an intent that a question copes with.
func (s *session) light(words []string) intent {
	for _, name := range []intent{who, repeat} {
		if s.Book.intents[name].In(words) >= 0 {
			return name
		}
	}
	for _, name := range []intent{hello, wait} {
		if s.Book.intents[name].Covers(words) {
			return name
		}
	}
	return noIntent
}

// leaves says whether words that answer nothing are a goodbye.
func (s *session) leaves(words []string) bool { return s.Book.intents[goodbye].In(words) >= 0 }

// optOutPhrases are the usual ones and the scenario's own.
func optOutPhrases(b *Book, own []string) phrase.List {
	return b.intents[optOut].And(slices.Clone(own))
}
