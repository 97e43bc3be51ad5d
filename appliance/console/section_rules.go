package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// rulesSection declares the dialling rules and the suppression list.
func (s *ConsoleService) rulesSection() Section {
	shown := layout.ConsoleSection{
		ID: "rules", Name: locale.Text{"قواعد الاتصال", "Dialling rules"}, Icon: "rules",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 90, Routes: []Route{
		GetPage(account.Viewer, "/rules", s.showRules),
		PostForm(account.Owner, "/rules", s.saveRules),
		PostForm(account.Operator, "/rules/stop", s.stopCalling),
		GetPage(account.Owner, "/rules/resume", s.askResumeCalling),
		PostForm(account.Owner, "/rules/resume", s.resumeCalling),
		GetPage(account.Viewer, "/rules/suppressions", s.listSuppressions),
		GetPage(account.Viewer, "/rules/suppressions.csv", s.exportSuppressions),
		PostForm(account.Operator, "/rules/suppressions", s.addSuppression),
		PostForm(account.Operator, "/rules/suppressions/import", s.importSuppressions),
		GetPage(account.Operator, "/rules/suppressions/remove", s.askRemoveSuppression),
		PostForm(account.Operator, "/rules/suppressions/remove", s.removeSuppression),
	}}
}
