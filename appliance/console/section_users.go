package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// usersSection declares users.
func (s *ConsoleService) usersSection() Section {
	shown := layout.ConsoleSection{
		ID: "users", Name: locale.Text{"المستخدمون", "Users"}, Icon: "users",
	}
	return Section{ConsoleSection: shown, Role: account.Owner, Order: 130, Routes: []Route{
		GetPage(account.Owner, "/users", s.showUsers),
		GetPage(account.Owner, "/users.csv", s.exportUsers),
		PostForm(account.Owner, "/users", s.createUser),
		PostForm(account.Owner, "/users/:user/role", s.changeRole),
		PostForm(account.Owner, "/users/:user/state", s.changeState),
		GetPage(account.Owner, "/users/:user/password", s.askResetPassword),
		PostForm(account.Owner, "/users/:user/password", s.resetPassword),
		GetPage(account.Owner, "/users/:user/delete", s.askDeleteUser),
		PostForm(account.Owner, "/users/:user/delete", s.deleteUser),
	}}
}
