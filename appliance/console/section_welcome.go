package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// welcomeSection declares the first run.
func (s *ConsoleService) welcomeSection() kit.Section {
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "welcome"}, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/welcome", s.showWelcome),
		kit.PostForm(account.Operator, "/welcome/call", s.bookFirstCall),
	}}
}
