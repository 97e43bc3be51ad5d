package storetest

import (
	"testing"

	"munadi/store"
	"munadi/store/storetest/fixture"
)

func filledStore(t *testing.T, s store.Store) {
	fixture.FillStore(t, s)
}
