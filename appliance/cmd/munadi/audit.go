package main

import (
	"context"
	"fmt"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
)

// AuditCmd is `munadi audit`: the audit log, who changed what.
type AuditCmd struct {
	Verify AuditVerifyCmd `cmd:"" help:"Check that every entry of every organization's audit log is there and unchanged."`
}

// AuditVerifyCmd is `munadi audit verify`.
type AuditVerifyCmd struct{}

// Run prints a line for each organization; its error counts those with a fault.
func (*AuditVerifyCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		all, err := a.VerifyAudit(ctx)
		if err != nil {
			return err
		}
		faults := 0
		for _, one := range all {
			if one.Fault != "" {
				faults++
			}
			if _, err := fmt.Fprintln(app.Stdout, describeAudit(one)); err != nil {
				return err
			}
		}
		if faults > 0 {
			return fmt.Errorf("the audit log of %d of %d organizations is not as it was written", faults, len(all))
		}
		return nil
	})
}

// describeAudit returns the line of one organization.
func describeAudit(r admin.AuditReport) string {
	if r.Fault != "" {
		return fmt.Sprintf("FAIL  %s: %s", r.OrgID, r.Fault)
	}
	line := fmt.Sprintf("ok    %s: %d entries, all there and unchanged", r.OrgID, r.Entries)
	if r.Older > 0 {
		began := r.Began.UTC().Format(time.RFC3339)
		line += fmt.Sprintf(" since %s, when the %d older ones were sealed together", began, r.Older)
	}
	return line
}
