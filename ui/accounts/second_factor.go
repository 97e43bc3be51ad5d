package accounts

import (
	"time"

	"github.com/a-h/templ"

	"munadi/store/account"
	"munadi/ui/form"
	"munadi/ui/layout"
)

// SecondFactorView is the page on which users set up, renew and remove their second factor.
type SecondFactorView struct {
	layout.ConsolePage
	Zone   *time.Location
	Factor *account.SecondFactor // nil: none is set up
	Needed bool                  // the organization requires one
	Offer  FactorOffer           // without a factor
	Codes  string                // recovery codes, shown this once, a line each
	Form   []form.Field
}

// FactorOffer is a secret that an app reads.
type FactorOffer struct {
	Secret string // in groups, to be typed
	URI    string // of the QR code
	Sealed string // goes with the form
}

// CodeForm is what is asked for before a second factor changes.
type CodeForm struct{ Current, Code string }

// codeAttributes are those of a code: browsers offer the codes of their own app.
var codeAttributes = templ.Attributes{
	"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false",
}

var codeFormFields = []form.Declared[*CodeForm]{
	{
		Name: "current", Label: Current, Kind: form.Password, Most: 1000, Required: true,
		Attributes: templ.Attributes{"autocomplete": "current-password"},
		Value:      func(c *CodeForm) any { return &c.Current },
	},
	{
		Name: "code", Label: FactorCode, Help: FactorCodeHint, Dir: "ltr", Most: 64, Required: true,
		Attributes: codeAttributes,
		Value:      func(c *CodeForm) any { return &c.Code },
	},
}

// BindCodeForm binds the form that confirms with password and code.
func BindCodeForm(b *form.Binder, c *CodeForm) []form.Field {
	return form.BindDeclared(b, "", c, codeFormFields)
}

// SignInCode is the page between password and session: it asks for the code.
type SignInCode struct {
	layout.ConsolePage
	Next    string // where to go then
	App     bool   // the user has an authenticator app
	Passkey bool   // the user has passkeys, and they can be used here
	Form    []form.Field
}

var signInCodeFields = []form.Declared[*string]{{
	Name: "code", Label: FactorCode, Help: SignInCodeHint, Dir: "ltr", Most: 64, Required: true,
	Attributes: templ.Attributes{
		"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false", "autofocus": true,
	},
	Value: func(code *string) any { return code },
}}

// BindSignInCode binds the form of the code.
func BindSignInCode(b *form.Binder) []form.Field {
	var code string
	return form.BindDeclared(b, "", &code, signInCodeFields)
}

// NeededForm is whether an organization requires a second factor.
type NeededForm struct{ Needed bool }

var neededFields = []form.Declared[*NeededForm]{{
	Name: "needed", Label: FactorNeededLabel, Help: FactorNeededHint, Kind: form.Check,
	Value: func(n *NeededForm) any { return &n.Needed },
}}

// BindNeeded binds the form of the requirement.
func BindNeeded(b *form.Binder, n *NeededForm) []form.Field {
	return form.BindDeclared(b, "", n, neededFields)
}
