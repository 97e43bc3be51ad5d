package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// keysSection declares API keys.
func (s *ConsoleService) keysSection() Section {
	shown := layout.ConsoleSection{
		ID: "keys", Name: locale.Text{"مفاتيح API", "API keys"}, Icon: "keys",
	}
	return Section{ConsoleSection: shown, Role: account.Owner, Order: 120, Routes: []Route{
		GetPage(account.Owner, "/keys", s.showKeys),
		GetPage(account.Owner, "/keys.csv", s.exportKeys),
		PostForm(account.Owner, "/keys", s.createKey),
		GetPage(account.Owner, "/keys/:key/revoke", s.askRevokeKey),
		PostForm(account.Owner, "/keys/:key/revoke", s.revokeKey),
	}}
}
