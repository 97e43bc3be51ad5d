package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// auditSection declares the audit trail.
func (s *ConsoleService) auditSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "audit", Name: locale.Text{"سجل التغييرات", "Audit log"}, Icon: "audit",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Owner, Order: 140, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/audit", s.showAudit),
		kit.GetPage(account.Owner, "/audit.csv", s.exportAudit),
	}}
}
