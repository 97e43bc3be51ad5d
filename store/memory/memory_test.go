package memory_test

import (
	"testing"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/memory"
	"munadi/store/storetest"
)

// TestStore runs the conformance suite.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.RunSuite(t, func(*testing.T) store.Store { return memory.OpenStore() })
}

func openDriver(t *testing.T) (store.Store, driver.Driver) {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	return s, s
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
