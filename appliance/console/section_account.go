package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
)

// accountSection declares the own account.
func (s *ConsoleService) accountSection() Section {
	return Section{ConsoleSection: layout.ConsoleSection{ID: "account"}, Routes: []Route{
		PostForm(account.Viewer, "/sign-out", s.signOut),
		GetPage(account.Viewer, "/account", s.showAccount),
		PostForm(account.Viewer, "/account/password", s.changePassword),
		GetPage(account.Viewer, "/account/sessions.csv", s.exportSessions),
		PostForm(account.Viewer, "/account/sessions/end", s.endSessions),
	}}
}
