package slot

import (
	"munadi/engine/grammar"
	"munadi/store/scenario"
)

// Grammar is what an answer to a question is expected to be, for the recognizer; nil where it may be anything. Its
// sentences are those that [Understand] understands.
func Grammar(s scenario.Slot) *grammar.Grammar {
	switch s.Type {
	case scenario.YesNo:
		return grammar.Answers().With("own_yes", s.Yes).With("own_no", s.No).Rooted("boolean")
	case scenario.Number:
		if s.Digits > 0 && s.Digits <= grammar.MaxDigits {
			return grammar.Digits(s.Digits, s.Digits)
		}
		return grammar.Answers().Rooted("number")
	case scenario.Date:
		return grammar.Answers().Rooted("date")
	case scenario.Time:
		return grammar.Answers().Rooted("time")
	case scenario.Choice:
		return grammar.Answers().With("option", optionPhrases(s)).Rooted("choice")
	}
	return nil
}

func optionPhrases(s scenario.Slot) []string {
	var out []string
	for _, o := range s.Choices {
		out = append(out, o.Phrases...)
	}
	return out
}
