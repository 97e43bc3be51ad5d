package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// alertsSection declares alerts.
func (s *ConsoleService) alertsSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "alerts", Name: locale.Text{"التنبيهات", "Alerts"}, Icon: "alerts",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 150, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/alerts", s.showAlerts),
		kit.GetPage(account.Viewer, "/alerts/banner", s.showAlertBanner),
		kit.GetPage(account.Viewer, "/alerts/events", s.watchAlerts),
		kit.PostForm(account.Operator, "/alerts/:alert/acknowledge", s.acknowledgeAlert),
		kit.PostForm(account.Owner, "/alerts/recipients", s.saveAlertRecipients),
		kit.PostForm(account.Owner, "/alerts/mail-test", s.testAlertMail),
	}}
}
