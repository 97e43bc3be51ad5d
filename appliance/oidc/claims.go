package oidc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"munadi/appliance/auth"
	"munadi/store/account"
)

// ErrNoRole means that no rule of oidc-roles gives the person a role.
var ErrNoRole = errors.New("no role of this appliance belongs to the claims of this person")

// identify returns the identity that claims describe, with the role of the first rule that fits. [ErrNoRole].
func (p *Provider) identify(claims map[string]any) (auth.ExternalIdentity, error) {
	text := func(name string) string { value, _ := claims[name].(string); return value }
	who := auth.ExternalIdentity{
		Issuer: p.settings.OIDCIssuer, Subject: text("sub"), Session: text("sid"), Name: findName(text),
		Create: p.settings.OIDCCreate,
	}
	if who.Subject == "" {
		return who, fmt.Errorf("%w: it names nobody", ErrToken)
	}
	values := findStrings(claims, p.settings.OIDCClaim)
	for _, rule := range p.settings.OIDCRoles.ListRules() {
		if slices.Contains(values, rule.Value) {
			who.Role, who.OrgID = rule.Role, rule.OrgID
			return who, nil
		}
	}
	if len(values) == 0 {
		return who, fmt.Errorf("%w: neither the ID token nor the user information has the claim %s", ErrNoRole,
			p.settings.OIDCClaim)
	}
	return who, ErrNoRole
}

// findName returns the first claim that may be a sign-in name.
func findName(text func(string) string) string {
	for _, claim := range []string{"preferred_username", "email", "sub"} {
		if name := text(claim); account.CheckUserName(name) == nil {
			return name
		}
	}
	return ""
}

// findStrings returns the values of a claim, which may be one text or a list; a dot in its name leads into an object
// (realm_access.roles), unless a claim has the whole name.
func findStrings(claims map[string]any, name string) (values []string) {
	value, there := claims[name]
	if outer, rest, nested := strings.Cut(name, "."); !there && nested {
		inner, _ := claims[outer].(map[string]any)
		return findStrings(inner, rest)
	}
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			if text, is := one.(string); is {
				values = append(values, text)
			}
		}
	}
	return values
}
