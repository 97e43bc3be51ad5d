package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// phrasesSection declares the restaurant mode's phrases.
func (s *ConsoleService) phrasesSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "phrases", Name: locale.Text{"عبارات المطعم", "Restaurant phrases"}, Icon: "phrases",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 100, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/phrases", s.showPhrases),
		kit.PostForm(account.Operator, "/phrases", s.savePhrases),
		kit.GetPage(account.Operator, "/phrases/reset", s.askResetPhrases),
		kit.PostForm(account.Operator, "/phrases/reset", s.resetPhrases),
	}}
}
