// Package keys is the console's section of API keys: list, export, create, revoke.
package keys

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
			ID: "keys", Name: locale.Text{"مفاتيح API", "API keys"}, Icon: "keys", Group: layout.Administration,
		},
		Role: account.Owner, Order: 130,
		Routes: []kit.Route{
			kit.GetPage(account.Owner, "/keys", s.showKeys),
			kit.GetPage(account.Owner, "/keys.csv", s.exportKeys),
			kit.PostForm(account.Owner, "/keys", s.createKey),
			kit.GetPage(account.Owner, "/keys/:key/revoke", s.askRevokeKey),
			kit.PostForm(account.Owner, "/keys/:key/revoke", s.revokeKey),
		},
	}
}
