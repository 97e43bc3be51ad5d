// Package rules is the console's section of the dialling rules and the suppression list.
package rules

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the dialling rules and the suppression list.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "rules", Name: locale.Text{"قواعد الاتصال", "Dialling rules"}, Icon: "rules", Group: layout.SetUp,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 90, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/rules", s.showRules),
		kit.PostForm(account.Owner, "/rules", s.saveRules),
		kit.PostForm(account.Owner, "/rules/propose", s.takeProposal),
		kit.PostForm(account.Operator, "/rules/stop", s.stopCalling),
		kit.GetPage(account.Owner, "/rules/resume", s.askResumeCalling),
		kit.PostForm(account.Owner, "/rules/resume", s.resumeCalling),
		kit.GetPage(account.Viewer, "/rules/suppressions", s.listSuppressions),
		kit.GetPage(account.Viewer, "/rules/suppressions.csv", s.exportSuppressions),
		kit.PostForm(account.Operator, "/rules/suppressions", s.addSuppression),
		kit.PostForm(account.Operator, "/rules/suppressions/import", s.importSuppressions),
		kit.GetPage(account.Operator, "/rules/suppressions/remove", s.askRemoveSuppression),
		kit.PostForm(account.Operator, "/rules/suppressions/remove", s.removeSuppression),
	}}
}
