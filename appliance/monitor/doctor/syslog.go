package doctor

import (
	"context"
	"fmt"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/syslog"
)

// CheckSyslog checks that the audit log reaches the syslog server.
func CheckSyslog(ctx context.Context, f *syslog.AuditForwarder) admin.CheckFinding {
	found := admin.CheckFinding{Name: "syslog", State: admin.StateOK, Text: "the audit log goes to " + f.Server.Address}
	state := f.State()
	if err := f.Server.CheckConnection(ctx); err != nil {
		found.State, found.Text = admin.StateFailed, err.Error()
	} else if state.Fault != "" {
		found.State, found.Text = admin.StateFailed, state.Fault
	}
	if !state.Failing.IsZero() {
		found.Text = fmt.Sprintf("the audit log waits since %s: %s", state.Failing.UTC().Format(time.RFC3339), found.Text)
	}
	return found
}
