package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// phrasesSection declares the restaurant mode's phrases.
func (s *ConsoleService) phrasesSection() Section {
	shown := layout.ConsoleSection{
		ID: "phrases", Name: locale.Text{"عبارات المطعم", "Restaurant phrases"}, Icon: "phrases",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 100, Routes: []Route{
		GetPage(account.Viewer, "/phrases", s.showPhrases),
		PostForm(account.Operator, "/phrases", s.savePhrases),
		GetPage(account.Operator, "/phrases/reset", s.askResetPhrases),
		PostForm(account.Operator, "/phrases/reset", s.resetPhrases),
	}}
}
