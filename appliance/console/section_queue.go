package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// queueSection declares the queue of calls that need staff.
func (s *ConsoleService) queueSection() Section {
	shown := layout.ConsoleSection{
		ID: "queue", Name: locale.Text{"تحتاج إلى موظف", "Needs staff"}, Icon: "queue", CountsWaiting: true,
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 50, Routes: []Route{
		GetPage(account.Viewer, "/queue", s.showQueue),
	}}
}
