package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// DeclareUsers declares users.
func DeclareUsers(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "users", Name: locale.Text{"المستخدمون", "Users"}, Icon: "users", Group: layout.Administration,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Owner, Order: 140, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/users", s.showUsers),
		kit.GetPage(account.Owner, "/users.csv", s.exportUsers),
		kit.PostForm(account.Owner, "/users", s.createUser),
		kit.PostForm(account.Owner, "/users/:user/role", s.changeRole),
		kit.PostForm(account.Owner, "/users/:user/state", s.changeState),
		kit.PostForm(account.Owner, "/users/:user/extension", s.changeExtension),
		kit.GetPage(account.Owner, "/users/:user/password", s.askResetPassword),
		kit.PostForm(account.Owner, "/users/:user/password", s.resetPassword),
		kit.PostForm(account.Owner, "/users/second-factor", s.requireSecondFactor),
		kit.GetPage(account.Owner, "/users/:user/second-factor", s.askResetFactor),
		kit.PostForm(account.Owner, "/users/:user/second-factor", s.resetFactor),
		kit.GetPage(account.Owner, "/users/:user/delete", s.askDeleteUser),
		kit.PostForm(account.Owner, "/users/:user/delete", s.deleteUser),
	}}
}
