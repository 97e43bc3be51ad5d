package console

import (
	"munadi/ui/layout"
)

// visitorSection declares pages without a session: sign-in, set-up, root certificate.
func (s *ConsoleService) visitorSection() Section {
	return Section{ConsoleSection: layout.ConsoleSection{ID: "sign-in"}, Routes: []Route{
		GetPage("", "/sign-in", s.showSignIn),
		PostForm("", "/sign-in", s.signIn, limitPublicForm),
		GetPage("", "/certificate", s.showCertificate),
		GetPage("", "/certificate/munadi.crt", s.downloadRootCertificate),
		GetPage("", "/setup/:token", s.showSetUp),
		PostForm("", "/setup/:token", s.setUp, limitPublicForm),
	}}
}
