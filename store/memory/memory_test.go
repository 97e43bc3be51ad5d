package memory_test

import (
	"testing"

	"munadi/store"
	"munadi/store/memory"
	"munadi/store/storetest"
)

// TestStore runs the conformance suite.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.RunSuite(t, func(*testing.T) store.Store { return memory.OpenStore() })
}
