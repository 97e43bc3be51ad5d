// Package alerts is the console's section of alerts: open and past ones, their recipients.
package alerts

import (
	"sync"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
	testing *sync.Mutex // held while a test message is sent
}

// DeclareSection declares alerts.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts, &sync.Mutex{}}
	shown := layout.ConsoleSection{
		ID: "alerts", Name: locale.Text{"التنبيهات", "Alerts"}, Icon: "alerts", Group: layout.Administration,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 160, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/alerts", s.showAlerts),
		kit.GetPage(account.Viewer, "/alerts/banner", s.showAlertBanner),
		kit.GetPage(account.Viewer, "/alerts/events", s.watchAlerts),
		kit.PostForm(account.Operator, "/alerts/:alert/acknowledge", s.acknowledgeAlert),
		kit.PostForm(account.Owner, "/alerts/recipients", s.saveAlertRecipients),
		kit.PostForm(account.Owner, "/alerts/mail-test", s.testAlertMail),
		kit.GetPage(account.Owner, "/alerts/mail-server", s.showMailServer, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/alerts/mail-server", s.saveMailServer, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/alerts/mail-server/test", s.testMailServer, kit.RequireGovernor),
	}}
}
