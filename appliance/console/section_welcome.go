package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
)

// welcomeSection declares the first run.
func (s *ConsoleService) welcomeSection() Section {
	return Section{ConsoleSection: layout.ConsoleSection{ID: "welcome"}, Routes: []Route{
		GetPage(account.Owner, "/welcome", s.showWelcome),
		PostForm(account.Operator, "/welcome/call", s.bookFirstCall),
	}}
}
