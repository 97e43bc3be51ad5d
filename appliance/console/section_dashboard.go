package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// dashboardSection declares the day: the first page.
func (s *ConsoleService) dashboardSection() Section {
	shown := layout.ConsoleSection{
		ID: "", Name: locale.Text{"اليوم", "Today"}, Icon: "dashboard",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 10, Routes: []Route{
		GetPage(account.Viewer, "", s.showDashboard),
		GetPage(account.Viewer, "/", s.showDashboard),
	}}
}
