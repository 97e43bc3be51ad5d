package postgres

import (
	"testing"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/storetest"
)

// openDriver opens a store on a schema of its own, with its driver.
func openDriver(t *testing.T) (store.Store, driver.Driver) {
	t.Helper()
	s, _ := openOn(t, false)
	return s, storeDriver{s: s}
}

func TestAuditTamper(t *testing.T) {
	t.Parallel()
	storetest.RunAuditTamper(t, openDriver)
}

func TestOrganizationTamper(t *testing.T) {
	t.Parallel()
	storetest.RunOrganizationTamper(t, openDriver)
}

func TestAuditUpgrade(t *testing.T) {
	t.Parallel()
	storetest.RunAuditUpgrade(t, openDriver)
}

// TestAuditTamperBySQL checks that somebody at the server's command line is found out, too.
func TestAuditTamperBySQL(t *testing.T) {
	t.Parallel()
	s, server := openOn(t, false)
	storetest.RunAuditSQL(t, s, func(statement string) { server.Run(t, statement) })
}
