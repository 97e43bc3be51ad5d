package appliance

import (
	"crypto/rand"
	"os"
	"strconv"

	"munadi/appliance/syslog"
)

// openSyslog makes the forwarder of the audit log if a syslog server is set.
func (a *Appliance) openSyslog() error {
	server, err := syslog.NewServer(a.config)
	if err != nil || server.Address == "" {
		return err
	}
	host, _ := os.Hostname() // unknown is allowed
	a.syslog = &syslog.AuditForwarder{
		Server: server, Store: a.store, Holder: "appliance", Log: a.log,
		Source: syslog.Source{Host: host, Process: strconv.Itoa(os.Getpid())},
		Warn:   func(message string) { a.health.SetWarning("syslog", message) },
	}
	if a.store.Shared != nil {
		a.syslog.Holder = rand.Text()
	}
	return nil
}
