package accounts

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// UserTable returns an organization's users, on the page and as CSV; you is the id of the visitor.
func UserTable(you string) list.Table[account.User] {
	return list.Table[account.User]{
		{Key: "id", Text: func(u account.User) string { return u.ID }},
		{
			Title: locale.KitUserName, Key: "name", Searched: true, Text: func(u account.User) string { return u.Name },
			Cell: func(at list.At, u account.User) templ.Component { return userName(at.Lang, u.Name, u.ID == you) },
		},
		{
			Title: Role, Key: "role", Searched: true, Text: func(u account.User) string { return string(u.Role) },
			Cell: func(at list.At, u account.User) templ.Component { return userRole(at, u, u.ID == you) },
		},
		{Searched: true, Text: func(u account.User) string {
			return RoleName(locale.Arabic, u.Role) + "\n" + RoleName(locale.English, u.Role)
		}},
		{Title: locale.KitState, Cell: func(at list.At, u account.User) templ.Component {
			return userState(at.Lang, u.DisabledAt != nil)
		}},
		{
			Title: FactorTitle, Key: "second_factor",
			Text: func(u account.User) string { return strconv.FormatBool(u.SecondFactor != nil) },
			Cell: func(at list.At, u account.User) templ.Component {
				if u.SignsInAtProvider() {
					return component.Mark(FactorCompany.In(at.Lang))
				}
				return factorBadge(at.Lang, u.SecondFactor != nil)
			},
		},
		{
			Title: Extension, Key: "extension", Text: func(u account.User) string { return u.Extension },
			Cell: func(at list.At, u account.User) templ.Component { return userExtension(at, u) },
		},
		{Key: "created_at", Time: func(u account.User) time.Time { return u.CreatedAt }},
		{
			Title: LastSignIn, Key: "last_sign_in_at", Never: Never,
			Time: func(u account.User) time.Time { return list.MomentOf(u.LastSignInAt) },
		},
		{Key: "disabled_at", Time: func(u account.User) time.Time { return list.MomentOf(u.DisabledAt) }},
		{Title: Change, Acts: true, Cell: func(at list.At, u account.User) templ.Component {
			return userActs(at, u, u.ID == you)
		}},
	}
}

// OrganizationTable returns the organizations, on the page and as CSV; shown is the id of the one that is looked at.
func OrganizationTable(shown string) list.Table[account.Organization] {
	id := func(o account.Organization) string { return o.ID }
	name := func(o account.Organization) string { return o.Name }
	return list.Table[account.Organization]{
		{Key: "id", Searched: true, Text: id},
		{Title: locale.KitName, Key: "name", Searched: true, Text: name},
		{Title: OrgID, Text: id, Cell: func(_ list.At, o account.Organization) templ.Component {
			return organizationID(o.ID)
		}},
		{Title: locale.KitCreated, Key: "created_at", Time: func(o account.Organization) time.Time { return o.CreatedAt }},
		{Title: Look, Acts: true, Cell: func(at list.At, o account.Organization) templ.Component {
			return lookAt(at, o.ID, o.ID == shown)
		}},
	}
}

// SessionTable returns a user's sessions, on the page and as CSV; id returns a session's id, and isThis reports whether
// it is the visitor's, who may end others if confirmed.
func SessionTable(
	id func(account.UserSession) string, isThis func(account.UserSession) bool, confirmed bool,
) list.Table[account.UserSession] {
	return list.Table[account.UserSession]{
		{
			Title: Browser, Key: "browser", Searched: true, Class: "cut",
			Text: func(s account.UserSession) string { return s.Agent },
			Cell: func(at list.At, s account.UserSession) templ.Component { return browser(at.Lang, s.Agent) },
		},
		{Title: Address, Key: "address", Searched: true, Mono: true, Text: func(s account.UserSession) string {
			return s.Address
		}},
		{Title: Began, Key: "created_at", Time: func(s account.UserSession) time.Time { return s.CreatedAt }},
		{Title: locale.KitLastUsed, Key: "seen_at", Time: func(s account.UserSession) time.Time { return s.SeenAt }},
		{Key: "this", Text: func(s account.UserSession) string { return strconv.FormatBool(isThis(s)) }},
		{Title: End, Acts: true, Cell: func(at list.At, s account.UserSession) templ.Component {
			return endSession(at, id(s), isThis(s), confirmed)
		}},
	}
}
