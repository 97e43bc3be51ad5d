package keys

import (
	"time"

	"github.com/a-h/templ"

	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// View is the page of an organization's API keys.
type View struct {
	layout.ConsolePage
	component.TableList
	Zone *time.Location
	Keys []account.APIKey
	Made string // the new key, shown once
	Form []form.Field
}

func (p View) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// Table are the keys, on the page and as CSV.
var Table = list.Table[account.APIKey]{
	{Key: "id", Text: func(k account.APIKey) string { return k.ID }},
	{Title: locale.KitName, Key: "name", Searched: true, Text: func(k account.APIKey) string { return k.Name }},
	{
		Title: Key, Key: "prefix", Searched: true, Text: func(k account.APIKey) string { return k.Prefix },
		Cell: func(_ list.At, k account.APIKey) templ.Component { return keyPrefix(k.Prefix) },
	},
	{
		Title: Scopes, Key: "scopes", Searched: true,
		Text: func(k account.APIKey) string { return account.JoinScopes(k.Scopes) },
		Cell: func(at list.At, k account.APIKey) templ.Component { return scopeMarks(at.Lang, k.Scopes) },
	},
	{Title: locale.KitCreated, Key: "created_at", Time: func(k account.APIKey) time.Time { return k.CreatedAt }},
	{
		Title: locale.KitLastUsed, Key: "last_used_at", Never: Never,
		Time: func(k account.APIKey) time.Time { return list.MomentOf(k.LastUsedAt) },
	},
	{Title: locale.KitState, Cell: func(at list.At, k account.APIKey) templ.Component {
		return keyState(at.Lang, k.IsLive())
	}},
	{Key: "revoked_at", Time: func(k account.APIKey) time.Time { return list.MomentOf(k.RevokedAt) }},
	{
		Title: Revoke, Acts: true,
		Cell: func(at list.At, k account.APIKey) templ.Component { return revokeLink(at.Lang, k) },
	},
}

// NewKey is what the form asks for.
type NewKey struct {
	Name   string
	Scopes []string
}

// UsualKey returns the form's values at first.
func UsualKey() NewKey {
	return NewKey{Scopes: ScopeNames([]account.KeyScope{account.ScopeSTT, account.ScopeCalls})}
}

// boundKey is a new key with the language of the scopes' names.
type boundKey struct {
	*NewKey
	lang locale.Language
}

var newKeyFields = []form.Declared[boundKey]{
	{
		Name: "name", Label: locale.KitName, Help: NameHint, Most: 80, Required: true, Fault: BadName,
		Value: func(k boundKey) any { return &k.Name },
	},
	{
		Name: "scopes", Label: Scopes, Fault: NoScope, Value: func(k boundKey) any { return &k.Scopes },
		Options: func(k boundKey) []form.Option { return scopeOptions(k.lang) },
	},
}

// BindNewKey binds the form of a new key.
func BindNewKey(b *form.Binder, k *NewKey) []form.Field {
	return form.BindDeclared(b, "", boundKey{k, b.Lang}, newKeyFields)
}

func scopeOptions(l locale.Language) (options []form.Option) {
	for _, scope := range ScopeNames(account.AllScopes()) {
		options = append(options, form.Option{Value: scope, Name: ScopeName(l, scope), Note: scope})
	}
	return options
}

// ScopeNames returns scopes as texts.
func ScopeNames(scopes []account.KeyScope) []string {
	all := make([]string, len(scopes))
	for i, scope := range scopes {
		all[i] = string(scope)
	}
	return all
}
