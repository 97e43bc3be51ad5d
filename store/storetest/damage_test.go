package storetest

import (
	"reflect"
	"slices"
	"testing"

	"munadi/store"
)

// TestEveryMethodIsTriedOrNamed checks that every method of the contract is tried with damaged records, or declared as
// one that reads a single record at most.
func TestEveryMethodIsTriedOrNamed(t *testing.T) {
	t.Parallel()
	known := slices.Clone(notReaders)
	for _, reader := range damageReaders() {
		known = append(known, reader.method)
	}
	contract := reflect.TypeFor[store.Store]()
	for i := range contract.NumMethod() {
		if name := contract.Method(i).Name; !slices.Contains(known, name) {
			t.Errorf("Store.%s is neither among damageReaders nor among notReaders", name)
		}
	}
}
