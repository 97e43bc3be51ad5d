package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// keysSection declares API keys.
func (s *ConsoleService) keysSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "keys", Name: locale.Text{"مفاتيح API", "API keys"}, Icon: "keys",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Owner, Order: 120, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/keys", s.showKeys),
		kit.GetPage(account.Owner, "/keys.csv", s.exportKeys),
		kit.PostForm(account.Owner, "/keys", s.createKey),
		kit.GetPage(account.Owner, "/keys/:key/revoke", s.askRevokeKey),
		kit.PostForm(account.Owner, "/keys/:key/revoke", s.revokeKey),
	}}
}
