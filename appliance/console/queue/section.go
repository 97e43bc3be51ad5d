// Package queue is the console's section of calls that need staff.
package queue

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages.
type handlers struct{ *kit.Console }

// DeclareSection declares the queue of calls that need staff.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "queue", Name: locale.Text{"تحتاج إلى موظف", "Needs staff"}, Icon: "queue", Group: layout.Work,
		CountsWaiting: true,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 40, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/queue", s.showQueue),
		kit.GetPage(account.Viewer, "/queue.csv", s.exportQueue),
	}}
}
