package doctor

import (
	"context"

	"munadi/appliance/admin"
	"munadi/appliance/ldap"
)

// CheckDirectory checks that the company's directory lets the appliance search.
func CheckDirectory(ctx context.Context, d *ldap.Directory) admin.CheckFinding {
	found := admin.CheckFinding{
		Name: "directory", State: admin.StateOK, Text: "people are searched in the LDAP directory at " + d.Address(),
	}
	if err := d.CheckSearch(ctx); err != nil {
		found.State, found.Text = admin.StateFailed, err.Error()
	}
	return found
}
