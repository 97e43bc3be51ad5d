// Package phrases is the console's section of the restaurant mode's phrases.
package phrases

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/restaurant"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// BuiltInPhrases returns the phrases for organizations without their own.
	BuiltInPhrases func() restaurant.PhraseSet
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares the restaurant mode's phrases.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "phrases", Name: locale.Text{"عبارات المطعم", "Restaurant phrases"}, Icon: "phrases", Group: layout.SetUp,
	}
	used := s.hasOwnPhrases
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 100, IsUsed: used, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/phrases", s.showPhrases),
		kit.PostForm(account.Operator, "/phrases", s.savePhrases),
		kit.GetPage(account.Operator, "/phrases/reset", s.askResetPhrases),
		kit.PostForm(account.Operator, "/phrases/reset", s.resetPhrases),
	}}
}
