package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// reportsSection declares reports.
func (s *ConsoleService) reportsSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "reports", Name: locale.Text{"التقارير", "Reports"}, Icon: "reports",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 60, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/reports", s.showReports),
		kit.GetPage(account.Viewer, "/reports.csv", s.exportReports),
	}}
}
