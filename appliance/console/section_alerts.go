package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// alertsSection declares alerts.
func (s *ConsoleService) alertsSection() Section {
	shown := layout.ConsoleSection{
		ID: "alerts", Name: locale.Text{"التنبيهات", "Alerts"}, Icon: "alerts",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 150, Routes: []Route{
		GetPage(account.Viewer, "/alerts", s.showAlerts),
		GetPage(account.Viewer, "/alerts/banner", s.showAlertBanner),
		GetPage(account.Viewer, "/alerts/events", s.watchAlerts),
		PostForm(account.Operator, "/alerts/:alert/acknowledge", s.acknowledgeAlert),
		PostForm(account.Owner, "/alerts/recipients", s.saveAlertRecipients),
		PostForm(account.Owner, "/alerts/mail-test", s.testAlertMail),
	}}
}
