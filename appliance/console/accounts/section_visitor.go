package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/ui/layout"
)

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
