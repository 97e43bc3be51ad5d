// Package accounts is the console's pages about people: sign-in, set-up, the own account, users, organizations.
package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/models"
)

// DeclareAccount declares the own account.
func DeclareAccount(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: kit.AccountSection}, Routes: []kit.Route{
		kit.PostForm(account.Viewer, "/sign-out", s.signOut),
		kit.GetPage(account.Viewer, "/account", s.showAccount),
		kit.PostForm(account.Viewer, "/account/password", s.changePassword),
		kit.PostForm(account.Operator, "/account/extension", s.changeOwnExtension),
		kit.GetPage(account.Viewer, kit.SecondFactorPath, s.showSecondFactor),
		kit.PostForm(account.Viewer, kit.SecondFactorPath, s.confirmSecondFactor),
		kit.PostForm(account.Viewer, kit.SecondFactorPath+"/recovery", s.renewRecoveryCodes),
		kit.PostForm(account.Viewer, kit.SecondFactorPath+"/remove", s.removeOwnFactor),
		kit.GetPage(account.Viewer, kit.ConfirmPath, s.showConfirm),
		kit.PostForm(account.Viewer, kit.ConfirmPath, s.confirmWithPassword),
		kit.GetPage(account.Viewer, kit.ConfirmPath+"/company", s.beginCompanyConfirmation, s.requireProvider),
		kit.PostForm(account.Viewer, kit.ConfirmPath+"/passkey/options", s.offerPasskeyConfirmation),
		kit.PostForm(account.Viewer, kit.ConfirmPath+"/passkey", s.confirmWithPasskey),
		kit.GetPage(account.Viewer, passkeysPath, s.showPasskeys),
		kit.PostForm(account.Viewer, passkeysPath, s.addPasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/options", s.offerPasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/rename", s.renamePasskey, s.requireConfirmation),
		kit.GetPage(account.Viewer, passkeysPath+"/remove", s.askRemovePasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/remove", s.removePasskey, s.requireConfirmation),
		kit.PostForm(account.Viewer, passkeysPath+"/recovery", s.renewConfirmedCodes, s.requireConfirmation),
		kit.GetPage(account.Viewer, "/account/sessions.csv", s.exportSessions),
		kit.PostForm(account.Viewer, "/account/sessions/end", s.endSessions),
	}}
}

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

// DeclareOrganizations declares organizations.
func DeclareOrganizations(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "organizations"}, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/organizations", s.showOrganizations, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/organizations.csv", s.exportOrganizations, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/organizations", s.createOrganization, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/organizations/:organization/look", s.selectOrganization, kit.RequireGovernor),
	}}
}

// DeclareVisitor declares pages without a session: sign-in, set-up, root certificate.
func DeclareVisitor(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "sign-in"}, Routes: []kit.Route{
		kit.GetPage("", "/sign-in", s.showSignIn),
		kit.PostForm("", "/sign-in", s.signIn, limitPublicForm),
		kit.GetPage("", "/sign-in/code", s.showSignInCode),
		kit.PostForm("", "/sign-in/code", s.signInWithCode, limitPublicForm),
		kit.PostForm("", "/sign-in/passkey/options", s.offerPasskeySignIn, limitPublicForm),
		kit.PostForm("", "/sign-in/passkey", s.signInWithPasskey, limitPublicForm),
		kit.PostForm("", "/sign-in/code/passkey/options", s.offerPasskeyStep, limitPublicForm),
		kit.PostForm("", "/sign-in/code/passkey", s.signInWithPasskeyStep, limitPublicForm),
		kit.GetPage("", CompanyPath, s.beginCompanySignIn, s.requireProvider),
		kit.GetPage("", CompanyPath+"/callback", s.endCompanySignIn, s.requireProvider),
		kit.PostForm("", CompanyPath+"/logout", s.endCompanySessions, s.requireProvider, limitPublicForm),
		kit.GetPage("", "/certificate", s.showCertificate),
		kit.GetPage("", "/certificate/munadi.crt", s.downloadRootCertificate),
		kit.GetPage("", "/setup/:token", s.showSetUp),
		kit.PostForm("", "/setup/:token", s.setUp, limitPublicForm),
	}}
}

// DeclareWelcome declares the first run.
func DeclareWelcome(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "welcome"}, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/welcome", s.showWelcome),
		kit.PostForm(account.Operator, "/welcome/call", s.bookFirstCall),
	}}
}

// Parts is what the section needs beside what all share.
type Parts struct {
	// OfferModel returns the offer of the recommended model for the set-up; nil if a model was chosen already.
	OfferModel func() *models.PitchView
	// Company is the company's identity provider; nil: there is none.
	Company CompanyProvider
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}
