package calls

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// DeclareQueue declares the queue of calls that need staff.
func DeclareQueue(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "queue", Name: locale.Text{"تحتاج إلى موظف", "Needs staff"}, Icon: "queue", Group: layout.Work,
		CountsWaiting: true,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 40, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/queue", s.showQueue),
	}}
}
