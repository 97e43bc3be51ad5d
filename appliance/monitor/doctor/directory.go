package doctor

import (
	"context"
	"fmt"

	"munadi/appliance/admin"
	"munadi/appliance/ldap"
)

// CheckDirectory checks that the company's directory lets the appliance search, and that people and the groups of
// ldap-roles are found.
func CheckDirectory(ctx context.Context, d *ldap.Directory) admin.CheckFinding {
	missing, err := d.CheckSearch(ctx)
	switch {
	case err != nil:
		return admin.CheckFinding{Name: "directory", State: admin.StateFailed, Text: err.Error()}
	case len(missing) > 0:
		return admin.CheckFinding{Name: "directory", State: admin.StateWarning, Text: fmt.Sprintf(
			"the LDAP directory at %s has no group %q, which ldap-roles names", d.Address(), missing)}
	}
	return admin.CheckFinding{
		Name: "directory", State: admin.StateOK,
		Text: "the LDAP directory at " + d.Address() + " has people whom ldap-filter finds, and every group of ldap-roles",
	}
}
