package doctor_test

import (
	"strings"
	"testing"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/ldap"
	"munadi/appliance/ldap/ldaptest"
	"munadi/appliance/monitor/doctor"
)

// TestCheckDirectory asks a real slapd: only a directory in which people and every group of ldap-roles are found is well.
func TestCheckDirectory(t *testing.T) {
	t.Parallel()
	s := ldaptest.StartServer(t)
	for what, c := range map[string]struct {
		edit        func(*config.Config)
		state, text string
	}{
		"as it should be": {func(*config.Config) {}, admin.StateOK, "every group of ldap-roles"},
		"a group of capitals": {
			func(c *config.Config) { c.LDAPRoles = "ADMINS=owner,admins=viewer" }, admin.StateOK, "people whom ldap-filter finds",
		},
		"a filter that finds nobody": {
			func(c *config.Config) { c.LDAPFilter = "(sAMAccountName={name})" },
			admin.StateFailed, "ldap-filter: (sAMAccountName=*) finds nobody below dc=example,dc=com",
		},
		"a class that nobody has": {
			func(c *config.Config) { c.LDAPFilter = "(&(objectClass=posixAccount)(uid={name}))" }, admin.StateFailed, "finds nobody",
		},
		"another unit": {func(c *config.Config) { c.LDAPBase = "ou=groups,dc=example,dc=com" }, admin.StateFailed, "finds nobody"},
		"an attribute of nobody": {
			func(c *config.Config) { c.LDAPID = "objectGUID" }, admin.StateFailed, "has the attribute objectGUID",
		},
		"no group": {
			func(c *config.Config) { c.LDAPRoles = "admin=owner,stuff=viewer" },
			admin.StateFailed, `no group of ["admin" "stuff"] is below dc=example,dc=com`,
		},
		"groups elsewhere": {
			func(c *config.Config) { c.LDAPGroupBase = "ou=people,dc=example,dc=com" }, admin.StateFailed, "so nobody has a role",
		},
		"some groups": {
			func(c *config.Config) { c.LDAPRoles = "admins=owner,stuff=viewer,doctors*=viewer" },
			admin.StateWarning, `has no group ["doctors*" "stuff"], which ldap-roles names`,
		},
		"away": {func(c *config.Config) { c.LDAPURL = "ldap://127.0.0.1:1" }, admin.StateFailed, "cannot be asked"},
	} {
		settings := s.Settings()
		c.edit(settings)
		d, err := ldap.OpenDirectory(settings)
		if err != nil {
			t.Fatal(err)
		}
		found := doctor.CheckDirectory(t.Context(), d)
		if found.State != c.state || !strings.Contains(found.Text, c.text) {
			t.Errorf("%s: %s, %s", what, found.State, found.Text)
		}
	}
}
