package badger_test

import (
	"testing"

	"munadi/store"
	"munadi/store/badger"
	"munadi/store/storetest"
)

func TestStoreInMemory(t *testing.T) {
	t.Parallel()
	storetest.RunSuite(t, func(t *testing.T) store.Store { return openStore(t, "", badger.OpenOptions{InMemory: true}) })
}

func TestStoreOnDisk(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	storetest.RunSuite(t, func(t *testing.T) store.Store { return openStore(t, t.TempDir(), badger.OpenOptions{}) })
}

// openStore opens a store or ends the test.
func openStore(t *testing.T, dir string, opt badger.OpenOptions) *badger.BadgerStore {
	t.Helper()
	s, err := badger.OpenStore(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
