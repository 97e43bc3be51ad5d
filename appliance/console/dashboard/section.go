// Package dashboard is the console's section of the day at a glance.
package dashboard

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the day: the first page.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "", Name: locale.Text{"اليوم", "Today"}, Icon: "dashboard", Group: layout.Work,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 10, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "", s.showDashboard),
		kit.GetPage(account.Viewer, "/", s.showDashboard),
	}}
}
