package phrases

import (
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// View is the page of the restaurant mode's words.
type View struct {
	layout.ConsolePage
	form.ReplacedSetting

	May   bool // change them
	Own   bool // the organization has its own lists
	Lists []ListView
	Wrong bool // the form was not saved
}

// ListView is one of the three.
type ListView struct {
	Name    string // of its fields: bias, enter, exit
	Own     bool
	BuiltIn int // phrases of the built-in list
	Text    string
	Rows    string
	Fault   string
}

// ListTitle returns the name of the list.
func (l ListView) ListTitle(lang locale.Language) string {
	return map[string]locale.Text{"bias": Bias, "enter": Enter, "exit": Exit}[l.Name].In(lang)
}

func (l ListView) listHint(lang locale.Language) string {
	return map[string]locale.Text{
		"bias": BiasHint, "enter": EnterHint, "exit": ExitHint,
	}[l.Name].In(lang)
}
