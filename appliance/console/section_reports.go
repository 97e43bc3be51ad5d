package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// reportsSection declares reports.
func (s *ConsoleService) reportsSection() Section {
	shown := layout.ConsoleSection{
		ID: "reports", Name: locale.Text{"التقارير", "Reports"}, Icon: "reports",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 60, Routes: []Route{
		GetPage(account.Viewer, "/reports", s.showReports),
		GetPage(account.Viewer, "/reports.csv", s.exportReports),
	}}
}
