package badger

import (
	"testing"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/storetest"
)

// openDriver opens a store with its driver.
func openDriver(t *testing.T) (store.Store, driver.Driver) {
	t.Helper()
	s, err := OpenStore(t.TempDir(), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, storeDriver{s}
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
