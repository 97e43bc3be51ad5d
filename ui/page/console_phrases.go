package page

import (
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Phrases is the page of the restaurant mode's words.
type Phrases struct {
	shell.ConsolePage
	May   bool // change them
	Own   bool // the organization has lists of its own
	Lists []PhraseList
	Wrong bool // the form was not saved
}

// PhraseList is one of the three.
type PhraseList struct {
	Name    string // of its fields: bias, enter, exit
	Own     bool
	BuiltIn int // phrases of the built-in list
	Text    string
	Rows    string
	Fault   string
}

func (p Phrases) words() text.Phrases { return text.PhrasesIn(p.Lang) }

func (l PhraseList) title(w text.Phrases) string {
	return map[string]string{"bias": w.Bias, "enter": w.Enter, "exit": w.Exit}[l.Name]
}

func (l PhraseList) hint(w text.Phrases) string {
	return map[string]string{"bias": w.BiasHint, "enter": w.EnterHint, "exit": w.ExitHint}[l.Name]
}

// ResetPhrases asks before an organization's own lists are deleted.
type ResetPhrases struct{ shell.ConsolePage }

func resetQuestion(p ResetPhrases, w text.Phrases) part.Question {
	return part.Question{
		Title: w.ResetTitle, Text: w.ResetText, Action: "/console/phrases/reset", CSRF: p.CSRF, Do: w.Reset, Danger: true,
		Back: "/console/phrases", Leave: w.Back,
	}
}
