package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// webhookSection declares the webhook and its deliveries.
func (s *ConsoleService) webhookSection() Section {
	shown := layout.ConsoleSection{
		ID: "webhook", Name: locale.Text{"الإشعارات", "Webhook"}, Icon: "webhook",
	}
	return Section{ConsoleSection: shown, Role: account.Owner, Order: 110, Routes: []Route{
		GetPage(account.Owner, "/webhook", s.showWebhook),
		PostForm(account.Owner, "/webhook", s.saveWebhook),
		PostForm(account.Owner, "/webhook/rotate", s.rotateSecret),
		PostForm(account.Owner, "/webhook/test", s.testWebhook),
		GetPage(account.Owner, "/webhook/deliveries.csv", s.exportDeliveries),
		GetPage(account.Owner, "/webhook/deliveries/:delivery", s.showDelivery),
		PostForm(account.Owner, "/webhook/deliveries/:delivery/redeliver", s.redeliverWebhook),
	}}
}
