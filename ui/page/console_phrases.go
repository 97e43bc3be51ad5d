package page

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// PhrasesView is the page of the restaurant mode's words.
type PhrasesView struct {
	layout.ConsolePage
	ReplacedSetting

	May   bool // change them
	Own   bool // the organization has its own lists
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

func (p PhrasesView) pageWords() locale.PhrasesWords { return locale.PhrasesIn(p.Lang) }

// ListTitle returns the name of the list.
func (l PhraseList) ListTitle(w locale.PhrasesWords) string {
	return map[string]string{"bias": w.Bias, "enter": w.Enter, "exit": w.Exit}[l.Name]
}

func (l PhraseList) listHint(w locale.PhrasesWords) string {
	return map[string]string{"bias": w.BiasHint, "enter": w.EnterHint, "exit": w.ExitHint}[l.Name]
}

// ResetPhrases asks before an organization's own lists are deleted.
type ResetPhrases struct{ layout.ConsolePage }

func resetQuestion(p ResetPhrases, w locale.PhrasesWords) component.AskQuestion {
	return component.AskQuestion{
		Title: w.ResetTitle, Text: w.ResetText, Action: "/console/phrases/reset", CSRF: p.CSRF, Do: w.Reset, Danger: true,
		Back: "/console/phrases", Leave: w.Back,
	}
}
