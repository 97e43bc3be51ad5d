// Package webhook is the console's section of the organization's webhook and its deliveries.
package webhook

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the webhook and its deliveries.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "webhook", Name: locale.Text{"الإشعارات", "Webhook"}, Icon: "webhook", Group: layout.SetUp,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Owner, Order: 110, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/webhook", s.showWebhook),
		kit.PostForm(account.Owner, "/webhook", s.saveWebhook),
		kit.PostForm(account.Owner, "/webhook/rotate", s.rotateSecret),
		kit.PostForm(account.Owner, "/webhook/test", s.testWebhook),
		kit.GetPage(account.Owner, "/webhook/deliveries.csv", s.exportDeliveries),
		kit.GetPage(account.Owner, "/webhook/deliveries/:delivery", s.showDelivery),
		kit.PostForm(account.Owner, "/webhook/deliveries/:delivery/redeliver", s.redeliverWebhook),
	}}
}
