package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/ldap"
	"munadi/appliance/mailer"
	"munadi/appliance/syslog"
	"munadi/store/bucket"
)

const (
	bucketTimeout = 30 * time.Second
	// maxSkew is the difference of clocks that is reported; S3 servers refuse requests from 15 minutes on.
	maxSkew = 30 * time.Second
)

// CheckBucket writes, reads, lists and removes an object, and compares the clocks.
func CheckBucket(ctx context.Context, b bucket.ObjectBucket) admin.CheckFinding {
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	f := admin.CheckFinding{Name: "recordings", State: admin.StateOK}
	ahead, err := bucket.CheckAccess(ctx, b)
	switch {
	case err != nil:
		f.State, f.Text = admin.StateFailed, err.Error()
	case ahead.Abs() > maxSkew:
		f.State = admin.StateWarning
		f.Text = fmt.Sprintf("%s can be used, but its clock differs from this machine's by %v: requests are refused if the "+
			"clocks differ by 15 minutes", b.Location(), ahead)
	default:
		f.Text = b.Location() + ": an object was written, read, listed and removed"
	}
	return f
}

// checkBucketOf checks the bucket of the settings with the keys of this process.
func checkBucketOf(ctx context.Context, cfg *config.Config) admin.CheckFinding {
	b, err := bucket.OpenBucket(cfg.Recordings, os.LookupEnv)
	if err != nil {
		return admin.CheckFinding{Name: "recordings", State: admin.StateFailed, Text: err.Error()}
	}
	return CheckBucket(ctx, b)
}

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

// CheckMail connects to the mail server and signs in, without sending anything.
func CheckMail(ctx context.Context, mail *mailer.ServerFinder) admin.CheckFinding {
	f := admin.CheckFinding{Name: "e-mail", State: admin.StateOK}
	server, err := mail.FindServer(ctx)
	if errors.Is(err, mailer.ErrNoServer) {
		f.Text = "no mail server is set (in the console, or smtp-host): alerts are only shown in the console"
		return f
	}
	if err == nil {
		err = server.CheckServer(ctx)
	}
	if err != nil {
		f.State, f.Text = admin.StateFailed, err.Error()
		return f
	}
	f.Text = fmt.Sprintf("%s:%d accepts e-mail from %s", server.Host, server.Port, server.From)
	return f
}

// CheckSyslogSettings checks the syslog server and the client certificate while no appliance runs.
func CheckSyslogSettings(ctx context.Context, c *config.Config) admin.CheckFinding {
	server, err := syslog.NewServer(c)
	if err == nil && c.SyslogCert != "" {
		err = syslog.ClientCertificate(c).CheckPair()
	}
	if err != nil {
		return admin.CheckFinding{Name: "syslog", State: admin.StateFailed, Text: err.Error()}
	}
	return CheckSyslog(ctx, &syslog.AuditForwarder{Server: server})
}

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
