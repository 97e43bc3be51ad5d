package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// DeclareWelcome declares the first run.
func DeclareWelcome(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "welcome"}, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/welcome", s.showWelcome),
		kit.PostForm(account.Operator, "/welcome/call", s.bookFirstCall),
	}}
}
