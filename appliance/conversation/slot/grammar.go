package slot

import (
	"munadi/engine/grammar"
	"munadi/store/scenario"
)

// AnswerGrammar returns the grammar of the answers to a question, for the recognizer; nil if any text is accepted. Its
// sentences are those that [UnderstandAnswer] accepts.
func AnswerGrammar(s scenario.AnswerSlot) *grammar.RuleGrammar {
	switch s.Type {
	case scenario.YesNo:
		return grammar.Answers().WithPhrases("own_yes", s.Yes).WithPhrases("own_no", s.No).RootedAt("boolean")
	case scenario.Number:
		if s.Digits > 0 && s.Digits <= grammar.MaxDigits {
			return grammar.DigitGrammar(s.Digits, s.Digits)
		}
		return grammar.Answers().RootedAt("number")
	case scenario.Date:
		return grammar.Answers().RootedAt("date")
	case scenario.Time:
		return grammar.Answers().RootedAt("time")
	case scenario.Choice:
		return grammar.Answers().WithPhrases("option", optionPhrases(s)).RootedAt("choice")
	}
	return nil
}

func optionPhrases(s scenario.AnswerSlot) []string {
	var out []string
	for _, o := range s.Choices {
		out = append(out, o.Phrases...)
	}
	return out
}
