package alerts

import (
	"strconv"

	"github.com/a-h/templ"

	"munadi/store/alert"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// MailServerView is the page of the installation's mail server.
type MailServerView struct {
	layout.ConsolePage
	form.ReplacedSetting
	Fixed   *alert.MailSetting // of munadi.yaml, the environment or flags, which takes precedence; nil: none
	Form    []form.Field
	Set     bool         // there is a mail server to test
	Test    []form.Field // of a test message
	Answer  string       // of the mail server to the test that was refused
	Correct bool         // the test was sent
}

// MailServer is what the form of the mail server asks for.
type MailServer struct {
	alert.MailSetting
	Password string // a new one; the stored one is never shown
	Stored   bool   // there is one, which stays if none is typed
}

// boundServer is the form's values with the language of the encryptions' names.
type boundServer struct {
	*MailServer
	lang locale.Language
}

var exactText = templ.Attributes{"spellcheck": "false", "autocapitalize": "none"}

var serverFields = []form.Declared[boundServer]{
	{
		Name: "host", Label: ServerHost, Help: ServerHostHint, Dir: "ltr", Usual: "mail.example.com", Most: 253,
		Attributes: exactText, Fault: BadHost, Value: func(s boundServer) any { return &s.Host },
	},
	{
		Name: "security", Label: ServerSecurity, Kind: form.List, Fault: BadSecurity, Missing: BadSecurity,
		Value: func(s boundServer) any { return &s.Security }, Options: func(s boundServer) []form.Option {
			return securityOptions(s.lang)
		},
	},
	{
		Name: "port", Label: ServerPort, Help: ServerPortHint, Kind: form.Number, Fault: BadPort,
		Attributes: templ.Attributes{"min": "1", "max": "65535", "step": "1"},
		Value:      func(s boundServer) any { return &s.Port },
	},
	{
		Name: "user", Label: locale.KitUserName, Help: ServerUserHint, Dir: "ltr", Most: 320, Attributes: exactText,
		Fault: BadUser, Value: func(s boundServer) any { return &s.User },
	},
	{
		Name: "password", Label: locale.KitPassword, Help: ServerPasswordHint, Kind: form.Password, Most: 1000,
		Attributes: templ.Attributes{"autocomplete": "new-password"}, Fault: BadPassword,
		Value: func(s boundServer) any { return &s.Password },
		Has:   func(s boundServer) bool { return !s.Stored },
	},
	{
		Name: "password", Label: locale.KitPassword, Help: ServerPasswordKept, Kind: form.Password, Most: 1000,
		Attributes: templ.Attributes{"autocomplete": "new-password"}, Fault: BadPassword,
		Value: func(s boundServer) any { return &s.Password },
		Has:   func(s boundServer) bool { return s.Stored },
	},
	{
		Name: "from", Label: ServerFrom, Help: ServerFromHint, Dir: "ltr", Usual: "munadi@example.com", Most: 254,
		Attributes: exactText, Fault: BadFrom, Value: func(s boundServer) any { return &s.From },
	},
}

// BindMailServer binds the form of the mail server.
func BindMailServer(b *form.Binder, s *MailServer) []form.Field {
	if s.Security == "" {
		s.Security = alert.MailStartTLS
	}
	return form.BindDeclared(b, "", boundServer{s, b.Lang}, serverFields)
}

func securityOptions(l locale.Language) (options []form.Option) {
	for _, one := range []string{alert.MailStartTLS, alert.MailTLS, alert.MailPlain} {
		options = append(options, form.Option{Value: one, Name: SecurityName(l, one)})
	}
	return options
}

// TestMail is what the form of a test message asks for.
type TestMail struct{ To string }

var testFields = []form.Declared[*TestMail]{{
	Name: "to", Label: TestTo, Dir: "ltr", Usual: "name@example.com", Most: 254, Required: true, Attributes: exactText,
	Fault: BadTo, Value: func(m *TestMail) any { return &m.To },
}}

// BindTestMail binds the form of a test message.
func BindTestMail(b *form.Binder, m *TestMail) []form.Field {
	return form.BindDeclared(b, "", m, testFields)
}

// serverFacts are the fields of a mail server that can't be changed here.
func serverFacts(l locale.Language, s alert.MailSetting) []component.FactLine {
	facts := []component.FactLine{
		{Name: ServerHost.In(l), Value: s.Host},
		{Name: ServerSecurity.In(l), Value: SecurityName(l, s.Security)},
		{Name: ServerPort.In(l), Value: strconv.Itoa(s.Port)},
	}
	if s.User != "" {
		facts = append(facts, component.FactLine{Name: locale.KitUserName.In(l), Value: s.User})
	}
	return append(facts, component.FactLine{Name: ServerFrom.In(l), Value: s.From})
}
