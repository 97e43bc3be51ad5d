package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// LDAPServer returns the host and port of the LDAP directory, and whether it speaks TLS from the start; an empty host
// without one.
func (c *Config) LDAPServer() (host, port string, fromStart bool, err error) {
	if c.LDAPURL == "" {
		return "", "", false, nil
	}
	u, err := url.Parse(c.LDAPURL)
	if err != nil || u.Scheme != "ldap" && u.Scheme != "ldaps" || u.Hostname() == "" || u.User != nil ||
		u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return "", "", false, fmt.Errorf("%q is not the address of an LDAP directory, such as ldaps://ldap.example.com",
			c.LDAPURL)
	}
	fromStart = u.Scheme == "ldaps"
	if port = u.Port(); port == "" {
		port = map[bool]string{true: "636", false: "389"}[fromStart]
	}
	return u.Hostname(), port, fromStart, nil
}

// ldapChecks returns the faults of the single settings of LDAP.
func (c *Config) ldapChecks() map[string]error {
	_, _, _, err := c.LDAPServer()
	return map[string]error{"ldap-url": err}
}

// jointLDAPChecks returns the faults of settings of LDAP that do not belong together.
func (c *Config) jointLDAPChecks() (all []jointCheck) {
	if c.LDAPURL == "" {
		return nil
	}
	with := []string{"ldap-url"}
	// Not the password, which may be in the service's environment alone: other commands do without it.
	need := func(setting, value, why string) {
		if value == "" {
			all = append(all, jointCheck{setting, with, errors.New("is required with ldap-url" + why)})
		}
	}
	need("ldap-bind-dn", c.LDAPBindDN, ": the account that searches")
	need("ldap-base", c.LDAPBase, ": where people are searched")
	need("ldap-roles", string(c.LDAPRoles), ": nobody would have a role")
	return all
}

// LDAPIssuer returns what stands for the LDAP directory in accounts, its base, so that it may move to another host;
// empty without one.
func (c *Config) LDAPIssuer() string {
	if c.LDAPURL == "" {
		return ""
	}
	return "ldap:" + strings.ToLower(c.LDAPBase)
}

// LDAPAddress returns the host and port of the LDAP directory as one text.
func (c *Config) LDAPAddress() string {
	host, port, _, _ := c.LDAPServer()
	return net.JoinHostPort(host, port)
}
