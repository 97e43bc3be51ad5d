package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"munadi/store/account"
)

// The values of password-sign-in.
const (
	PasswordsOfAll    = "all"
	PasswordsOfOwners = "owners"
)

// RoleRule gives who has a value in the claim of roles a role in an organization.
type RoleRule struct {
	Value string
	Role  account.UserRole
	OrgID string
}

// RoleRules is a list of [RoleRule], the first that fits counts.
type RoleRules string

// UnmarshalText parses VALUE=ROLE or VALUE=ROLE@ORGANIZATION, several separated by commas.
func (r *RoleRules) UnmarshalText(text []byte) error {
	all := splitList(string(text))
	for _, one := range all {
		if _, err := parseRoleRule(one); err != nil {
			return err
		}
	}
	*r = RoleRules(strings.Join(all, ","))
	return nil
}

// ListRules returns the rules.
func (r RoleRules) ListRules() (rules []RoleRule) {
	for _, one := range splitList(string(r)) {
		if rule, err := parseRoleRule(one); err == nil {
			rules = append(rules, rule)
		}
	}
	return rules
}

func parseRoleRule(text string) (RoleRule, error) {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 {
		return RoleRule{}, fmt.Errorf("%q is not VALUE=ROLE or VALUE=ROLE@ORGANIZATION, such as admins=owner", text)
	}
	role, org, named := strings.Cut(text[at+1:], "@")
	if !named {
		org = account.Default
	}
	rule := RoleRule{Value: text[:at], Role: account.UserRole(role), OrgID: org}
	if !slices.Contains(account.AllRoles(), rule.Role) {
		return rule, fmt.Errorf("%q names no role: viewer, operator or owner", text)
	}
	if account.CheckID(org) != nil {
		return rule, fmt.Errorf("%q names no id of an organization", text)
	}
	return rule, nil
}

// WordList is a list of words, separated by commas.
type WordList string

// UnmarshalText parses openid,profile.
func (l *WordList) UnmarshalText(text []byte) error {
	*l = WordList(strings.Join(splitList(string(text)), ","))
	return nil
}

// Words returns the words of the list.
func (l WordList) Words() []string { return splitList(string(l)) }

// oidcChecks returns the faults of the single settings of OpenID Connect.
func (c *Config) oidcChecks() map[string]error {
	all := map[string]error{"oidc-issuer": checkIssuer(c.OIDCIssuer)}
	if !slices.Contains(c.OIDCScopes.Words(), "openid") {
		all["oidc-scopes"] = errors.New("must contain openid")
	}
	return all
}

// checkIssuer accepts an https URL, and http only on this machine (OpenID Connect Discovery, 3).
func checkIssuer(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("%q is not the URL of an issuer, such as https://login.example.com", text)
	}
	ip := net.ParseIP(u.Hostname())
	here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !here) {
		return fmt.Errorf("%q must begin with https://; http:// is accepted only for this machine", text)
	}
	return nil
}

// jointOIDCChecks returns the faults of settings of OpenID Connect that do not belong together.
func (c *Config) jointOIDCChecks() []jointCheck {
	with := []string{"oidc-issuer"}
	var all []jointCheck
	if c.OIDCIssuer == "" && c.LDAPURL == "" && c.PasswordSignIn == PasswordsOfOwners {
		all = append(all, jointCheck{
			"password-sign-in",
			[]string{"oidc-issuer", "ldap-url"},
			errors.New("owners needs oidc-issuer or ldap-url: nobody else could sign in"),
		})
	}
	if c.OIDCIssuer != "" && c.OIDCClientID == "" {
		all = append(all, jointCheck{"oidc-client-id", with, errors.New("is required with oidc-issuer")})
	}
	if c.OIDCIssuer != "" && c.OIDCRoles == "" {
		all = append(all, jointCheck{
			"oidc-roles", with,
			errors.New("is required with oidc-issuer: nobody would have a role"),
		})
	}
	return all
}
