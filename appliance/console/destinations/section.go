// Package destinations is the console's section of the destinations of events: list, add, change, delete, and the
// deliveries to each.
package destinations

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the section.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	return kit.Section{
		ConsoleSection: layout.ConsoleSection{
			ID: "destinations", Name: locale.Text{"وجهات الأحداث", "Event destinations"}, Icon: "destinations",
			Group: layout.SetUp,
		},
		Role: account.Owner, Order: 115,
		Routes: []kit.Route{
			kit.GetPage(account.Owner, "/destinations", s.showDestinations),
			kit.PostForm(account.Owner, "/destinations", s.createDestination),
			kit.GetPage(account.Owner, "/destinations/:destination", s.showDestination),
			kit.PostForm(account.Owner, "/destinations/:destination", s.saveDestination),
			kit.PostForm(account.Owner, "/destinations/:destination/rotate", s.rotateSecret),
			kit.PostForm(account.Owner, "/destinations/:destination/replay", s.replayEvents),
			kit.GetPage(account.Owner, "/destinations/:destination/delete", s.askDelete),
			kit.PostForm(account.Owner, "/destinations/:destination/delete", s.deleteDestination),
			kit.PostForm(account.Owner, "/destinations/:destination/deliveries/:event/redeliver", s.redeliverEvent),
		},
	}
}
