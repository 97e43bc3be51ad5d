package accounts

import (
	"bytes"
	"encoding/base64"
	"time"

	"munadi/store/account"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// PasskeysView is the page of the user's passkeys.
type PasskeysView struct {
	layout.ConsolePage
	Zone      *time.Location
	Keys      []account.Passkey
	Codes     string // recovery codes, shown this once, a line each
	CodesLeft int
	Confirm   string // where the user authenticates again before anything changes; empty: was done
	Full      bool
	Usable    bool   // passkeys can be used at this address
	Public    string // origin where they can; empty: none is set
	Form      []form.Field
	Renamed   []byte     // the passkey whose new name was refused; nil: none
	NewName   form.Field // of it, with what was typed and its fault
}

// PasskeyName is the name of a passkey.
type PasskeyName struct{ Name string }

var passkeyNameFields = []form.Declared[*PasskeyName]{{
	Name: "name", Label: PasskeyNameLabel, Help: PasskeyNameHint, Most: account.MaxPasskeyName, Required: true,
	Value: func(n *PasskeyName) any { return &n.Name },
}}

// BindPasskeyName binds the form of a passkey's name.
func BindPasskeyName(b *form.Binder, n *PasskeyName) []form.Field {
	return form.BindDeclared(b, "", n, passkeyNameFields)
}

// bindConfirmCode binds the code that goes with the password: of the app, or a recovery code.
func bindConfirmCode(l locale.Language) []form.Field {
	code := codeFormFields[1]
	code.Help = SignInCodeHint
	return form.BindDeclared(form.NewBinder(l, nil, nil), "", &CodeForm{}, []form.Declared[*CodeForm]{code})
}

// passkeyAsk is a form that an authenticator answers: where it goes, whence the options come by adding /options.
type passkeyAsk struct {
	layout.ConsolePage
	Action, Next string
	Do           locale.Text
}

func passkeyID(p account.Passkey) string { return base64.RawURLEncoding.EncodeToString(p.ID) }

// bindNewName binds the name of a passkey in its row.
func (p PasskeysView) bindNewName(one account.Passkey) form.Field {
	if bytes.Equal(p.Renamed, one.ID) {
		return p.NewName
	}
	return BindPasskeyName(form.NewBinder(p.Lang, nil, nil), &PasskeyName{Name: one.Name})[0]
}
