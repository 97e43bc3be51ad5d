package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// auditSection declares the audit trail.
func (s *ConsoleService) auditSection() Section {
	shown := layout.ConsoleSection{
		ID: "audit", Name: locale.Text{"سجل التغييرات", "Audit log"}, Icon: "audit",
	}
	return Section{ConsoleSection: shown, Role: account.Owner, Order: 140, Routes: []Route{
		GetPage(account.Owner, "/audit", s.showAudit),
		GetPage(account.Owner, "/audit.csv", s.exportAudit),
	}}
}
