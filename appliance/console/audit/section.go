// Package audit is the console's section of the audit trail: search, export.
package audit

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the audit trail.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "audit", Name: locale.Text{"سجل التغييرات", "Audit log"}, Icon: "audit", Group: layout.Administration,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Owner, Order: 150, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/audit", s.showAudit),
		kit.GetPage(account.Owner, "/audit.csv", s.exportAudit),
		kit.GetPage(account.Owner, "/audit.jsonl", s.exportChains),
	}}
}
