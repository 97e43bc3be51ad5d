// Package inbound is the console's section of inbound calls: routes, callbacks, the closed line, simulated callers.
package inbound

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
			ID: "inbound", Name: locale.Text{"المكالمات الواردة", "Inbound calls"}, Icon: "inbound",
			Group: layout.SetUp,
		},
		Role: account.Owner, Order: 95,
		Routes: []kit.Route{
			kit.GetPage(account.Owner, "/inbound", s.showInbound),
			kit.GetPage(account.Owner, "/inbound.csv", s.exportRoutes),
			kit.PostForm(account.Owner, "/inbound", s.saveSettings),
			kit.PostForm(account.Owner, "/inbound/routes", s.addRoute),
			kit.GetPage(account.Owner, "/inbound/routes/remove", s.askRemoveRoute),
			kit.PostForm(account.Owner, "/inbound/routes/remove", s.removeRoute),
			kit.PostForm(account.Owner, "/inbound/simulate", s.simulateCaller),
		},
	}
}
