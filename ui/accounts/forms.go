package accounts

import (
	"cmp"

	"github.com/a-h/templ"

	"munadi/store/account"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// typedName are the attributes of a name that is typed exactly.
var typedName = templ.Attributes{"autocapitalize": "none", "spellcheck": "false"}

// newPassword are the attributes of a password that is chosen.
var newPassword = templ.Attributes{"autocomplete": "new-password", "minlength": "8"}

// NewUser is what the form of a new user asks for.
type NewUser struct {
	Name, Password string
	Role           account.UserRole
}

// boundUser is a new user with the language of the roles' names.
type boundUser struct {
	*NewUser
	lang locale.Language
}

var newUserFields = []form.Declared[boundUser]{
	{
		Name: "name", Label: locale.KitUserName, Most: 64, Required: true, Attributes: typedName,
		Value: func(u boundUser) any { return &u.Name },
	},
	{
		Name: "role", Label: Role, Kind: form.List, Missing: BadRole, Value: func(u boundUser) any { return &u.Role },
		Options: func(u boundUser) []form.Option { return roleOptions(u.lang, true) },
	},
	{
		Name: "password", Label: locale.KitPassword, Help: PasswordHint, Kind: form.Password, Most: 256,
		Attributes: templ.Attributes{"autocomplete": "new-password"}, Value: func(u boundUser) any { return &u.Password },
	},
}

// BindNewUser binds the form of a new user.
func BindNewUser(b *form.Binder, u *NewUser) []form.Field {
	return form.BindDeclared(b, "", boundUser{u, b.Lang}, newUserFields)
}

// roleOptions returns the roles, with what they may do.
func roleOptions(l locale.Language, explained bool) (options []form.Option) {
	for _, role := range []account.UserRole{account.Owner, account.Operator, account.Viewer} {
		name := RoleName(l, role)
		if explained {
			name += " · " + RoleMay(l, role)
		}
		options = append(options, form.Option{Value: string(role), Name: name})
	}
	return options
}

// boundRole is a user's role with the language of the roles' names.
type boundRole struct {
	role *account.UserRole
	lang locale.Language
}

var roleFields = []form.Declared[boundRole]{{
	Name: "role", Label: Role, Kind: form.List, Missing: BadRole, Value: func(r boundRole) any { return r.role },
	Options: func(r boundRole) []form.Option { return roleOptions(r.lang, false) },
}}

// BindRole binds the form of a user's role.
func BindRole(b *form.Binder, role *account.UserRole) form.Field {
	return form.BindDeclared(b, "", boundRole{role, b.Lang}, roleFields)[0]
}

var extensionFields = []form.Declared[*string]{{
	Name: "extension", Label: Extension, Help: ExtensionHint, Most: 200,
	Attributes: templ.Attributes{"dir": "ltr", "autocapitalize": "none", "spellcheck": "false"},
	Value:      func(e *string) any { return e },
}}

// ShownValue is what a form of one value holds against lost updates: the value that it shows.
func ShownValue(value string) form.ReplacedSetting {
	return form.ReplacedSetting{Revision: "=" + value}
}

// BindExtension binds the form of where a user is rung.
func BindExtension(b *form.Binder, extension *string) form.Field {
	return form.BindDeclared(b, "", extension, extensionFields)[0]
}

// NewOrganization is what the form of a new organization asks for.
type NewOrganization struct{ ID, Name string }

var newOrganizationFields = []form.Declared[*NewOrganization]{
	{
		Name: "name", Label: locale.KitName, Most: 100, Required: true,
		Value: func(o *NewOrganization) any { return &o.Name },
	},
	{
		Name: "id", Label: OrgID, Help: OrgIDHint, Dir: "ltr", Most: 64, Required: true,
		Attributes: templ.Attributes{"pattern": `[a-z0-9_\-]{1,64}`, "autocapitalize": "none", "spellcheck": "false"},
		Value:      func(o *NewOrganization) any { return &o.ID },
	},
}

// BindNewOrganization binds the form of a new organization.
func BindNewOrganization(b *form.Binder, o *NewOrganization) []form.Field {
	return form.BindDeclared(b, "", o, newOrganizationFields)
}

// ChosenPassword is what forms ask for that set a password.
type ChosenPassword struct{ Current, New, Again string }

var currentField = form.Declared[*ChosenPassword]{
	Name: "current", Label: Current, Kind: form.Password, Most: 1000, Required: true,
	Attributes: templ.Attributes{"autocomplete": "current-password"},
	Value:      func(p *ChosenPassword) any { return &p.Current },
}

var passwordFields = []form.Declared[*ChosenPassword]{
	currentField,
	{
		Name: "new", Label: New, Help: PasswordRule, Kind: form.Password, Most: 256, Required: true, Attributes: newPassword,
		Value: func(p *ChosenPassword) any { return &p.New },
	},
	{
		Name: "again", Label: locale.KitPasswordAgain, Kind: form.Password, Most: 256, Required: true,
		Attributes: newPassword, Value: func(p *ChosenPassword) any { return &p.Again },
	},
}

// BindPassword binds the form that changes a password.
func BindPassword(b *form.Binder, p *ChosenPassword) []form.Field {
	return form.BindDeclared(b, "", p, passwordFields)
}

// FirstUser is what the set-up asks for.
type FirstUser struct{ Password, Again, Zone string }

var setUpFields = []form.Declared[*FirstUser]{
	{
		Name: "password", Label: locale.KitPassword, Help: PasswordRule, Kind: form.Password, Most: 256, Required: true,
		Attributes: templ.Attributes{"autocomplete": "new-password", "minlength": "8", "autofocus": true},
		Value:      func(u *FirstUser) any { return &u.Password },
	},
	{
		Name: "again", Label: locale.KitPasswordAgain, Kind: form.Password, Most: 256, Required: true,
		Attributes: newPassword, Value: func(u *FirstUser) any { return &u.Again },
	},
	{
		Name: "time_zone", Label: locale.KitTimeZone, Help: SetUpZoneHint, Dir: "ltr", Most: 64,
		Attributes: templ.Attributes{"data-timezone": true, "list": form.SuggestionsID("time_zone"), "spellcheck": "false"},
		Value:      func(u *FirstUser) any { return &u.Zone },
	},
}

// BindFirstUser binds the form of the set-up.
func BindFirstUser(b *form.Binder, u *FirstUser) []form.Field {
	return form.BindDeclared(b, "", u, setUpFields)
}

// boundDigits are the digits of the pages with the page's language.
type boundDigits struct {
	digits *locale.Numerals
	lang   locale.Language
}

var digitFields = []form.Declared[boundDigits]{{
	Name: "digits", Label: Digits, Help: DigitsHint, Kind: form.List, Missing: Digits,
	Value: func(d boundDigits) any { return d.digits },
	Options: func(d boundDigits) []form.Option {
		return []form.Option{
			{Value: string(locale.Latin), Name: DigitsLatin.In(d.lang) + " 123"},
			{Value: string(locale.ArabicIndic), Name: DigitsArabic.In(d.lang) + " " + locale.ArabicDigits("123")},
		}
	},
}}

// digitsForm returns the form of the digits that Arabic pages have.
func digitsForm(l locale.Language, now locale.Numerals) []form.Field {
	now = cmp.Or(now, locale.Latin)
	return form.BindDeclared(form.NewBinder(l, nil, nil), "", boundDigits{&now, l}, digitFields)
}
