package page

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/phrases"
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

// ListTitle returns the name of the list.
func (l PhraseList) ListTitle(lang locale.Language) string {
	return map[string]locale.Text{"bias": phrases.Bias, "enter": phrases.Enter, "exit": phrases.Exit}[l.Name].In(lang)
}

func (l PhraseList) listHint(lang locale.Language) string {
	return map[string]locale.Text{
		"bias": phrases.BiasHint, "enter": phrases.EnterHint, "exit": phrases.ExitHint,
	}[l.Name].In(lang)
}

// ResetPhrases asks before an organization's own lists are deleted.
type ResetPhrases struct{ layout.ConsolePage }

func resetQuestion(p ResetPhrases) component.AskQuestion {
	return component.AskQuestion{
		Title: phrases.ResetTitle.In(p.Lang), Text: phrases.ResetText.In(p.Lang), Action: "/console/phrases/reset",
		CSRF: p.CSRF, Do: phrases.Reset.In(p.Lang), Danger: true,
		Back: "/console/phrases", Leave: phrases.Back.In(p.Lang),
	}
}
