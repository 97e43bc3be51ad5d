package badger_test

import (
	"testing"

	"munadi/store/badger"
	"munadi/store/storetest"
)

// BenchmarkCall is [storetest.BenchmarkCalls] on a database on disk.
func BenchmarkCall(b *testing.B) {
	s, err := badger.OpenStore(b.TempDir(), badger.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	storetest.BenchmarkCalls(b, s)
}
