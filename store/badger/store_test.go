package badger_test

import (
	"testing"

	"munadi/store"
	"munadi/store/badger"
	"munadi/store/storetest"
)

func TestStoreInMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, "", badger.Options{InMemory: true}) })
}

func TestStoreOnDisk(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, t.TempDir(), badger.Options{}) })
}

// open opens a store or ends the test.
func open(t *testing.T, dir string, opt badger.Options) *badger.Store {
	t.Helper()
	s, err := badger.Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
