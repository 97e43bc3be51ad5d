package ldap

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-ldap/ldap/v3"
)

// CheckSearch connects, binds, and searches a person and the groups of ldap-roles as sign-ins do. It returns the groups
// that do not exist. An error says that nobody can sign in, and which setting is the reason.
func (d *Directory) CheckSearch(ctx context.Context) (missing []string, err error) {
	err = d.exchange(ctx, "", func(c *ldap.Conn) error {
		if err := d.checkPeople(c); err != nil {
			return err
		}
		missing, err = d.findMissingGroups(c)
		return err
	})
	return missing, err
}

// checkPeople searches somebody whom ldap-filter finds by some name, and somebody with the attribute ldap-id.
func (d *Directory) checkPeople(c *ldap.Conn) error {
	there, err := d.hasEntry(c, d.settings.LDAPBase, d.anyName())
	if err != nil {
		return away("ldap-base", err)
	}
	if !there {
		return fmt.Errorf("ldap-filter: %s finds nobody below %s (ldap-base) whom %s (ldap-bind-dn) may read",
			d.anyName(), d.settings.LDAPBase, d.settings.LDAPBindDN)
	}
	there, err = d.hasEntry(c, d.settings.LDAPBase, "(&"+d.anyName()+"("+d.settings.LDAPID+"=*))")
	if err != nil {
		return away("ldap-id", err)
	}
	if !there {
		return fmt.Errorf("ldap-id: nobody whom ldap-filter finds has the attribute %s, or %s (ldap-bind-dn) may not read it",
			d.settings.LDAPID, d.settings.LDAPBindDN)
	}
	return nil
}

// findMissingGroups returns the groups of ldap-roles that do not exist; an error if none does.
func (d *Directory) findMissingGroups(c *ldap.Conn) (missing []string, err error) {
	var names []string
	for _, rule := range d.rules {
		names = append(names, rule.Value)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range names {
		there, err := d.hasEntry(c, d.groupBase(), "(cn="+ldap.EscapeFilter(name)+")")
		if err != nil {
			return nil, away("ldap-group-base", err)
		}
		if !there {
			missing = append(missing, name)
		}
	}
	if len(missing) == len(names) {
		return nil, fmt.Errorf("ldap-roles: no group of %q is below %s (ldap-group-base), so nobody has a role",
			names, d.groupBase())
	}
	return missing, nil
}

// hasEntry reports whether a filter finds an entry.
func (d *Directory) hasEntry(c *ldap.Conn, base, filter string) (bool, error) {
	found, err := d.search(c, base, filter, 1, "1.1") // no attributes (RFC 4511, 4.5.1.8)
	if ldap.IsErrorWithCode(err, ldap.LDAPResultSizeLimitExceeded) {
		return true, nil // there are more
	}
	return len(found) > 0, err
}
