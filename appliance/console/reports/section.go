// Package reports is the console's section of reports over days, weeks and months.
package reports

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares reports.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "reports", Name: locale.Text{"التقارير", "Reports"}, Icon: "reports", Group: layout.Work,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 50, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/reports", s.showReports),
		kit.GetPage(account.Viewer, "/reports.csv", s.exportReports),
		kit.GetPage(account.Viewer, "/reports/caller-numbers.csv", s.exportCallers),
	}}
}
