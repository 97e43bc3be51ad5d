// Package inbound is the console's section of inbound calls: routes, callbacks, the closed line, simulated callers.
package inbound

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	RefusedCalls func() []call.RefusedCall // the latest first, redacted
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares the section. Calls that were refused belong to no organization: only those who govern the
// installation see them.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
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
			kit.GetPage(account.Owner, "/inbound/refused", s.showRefused, kit.RequireGovernor),
		},
	}
}
