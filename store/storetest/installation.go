package storetest

import (
	"bytes"
	"sync"
	"testing"

	"munadi/store"
)

// installation: a store keeps the first record that is claimed, whoever else claims at the same time.
func installation(t *testing.T, s store.Store) {
	none, err := s.Installation(t.Context())
	if wantCode(t, "Installation of a new store", err, ""); none != nil {
		t.Fatalf("a new store belongs to %+v", none)
	}
	_, err = s.ClaimInstallation(t.Context(), store.Installation{ID: "x"})
	wantCode(t, "a claim without a check", err, store.CodeInvalid)
	_, err = s.ClaimInstallation(t.Context(), store.Installation{SecretCheck: hash(1)})
	wantCode(t, "a claim without an id", err, store.CodeInvalid)

	var group sync.WaitGroup
	kept := make([]store.Installation, 8)
	for i := range kept {
		group.Go(func() {
			fresh := store.Installation{ID: string(rune('a' + i)), SecretCheck: hash(byte(i + 1)), CreatedAt: clock()}
			var err error
			if kept[i], err = s.ClaimInstallation(t.Context(), fresh); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	found, err := s.Installation(t.Context())
	if wantCode(t, "Installation", err, ""); found == nil {
		t.Fatal("the claimed record is not found")
	}
	for _, k := range kept {
		if k.ID != found.ID || !bytes.Equal(k.SecretCheck, found.SecretCheck) || !k.CreatedAt.Equal(clock()) {
			t.Errorf("one claim was answered with %+v, the record is %+v", k, found)
		}
	}
}
