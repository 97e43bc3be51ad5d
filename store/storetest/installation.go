package storetest

import (
	"bytes"
	"sync"
	"testing"

	"munadi/store"
)

// testInstallation: of concurrent claims, the store keeps the first record.
func testInstallation(t *testing.T, s store.Store) {
	none, err := s.FindInstallation(t.Context())
	if wantCode(t, "Installation of a new store", err, ""); none != nil {
		t.Fatalf("a new store belongs to %+v", none)
	}
	_, err = s.ClaimInstallation(t.Context(), store.InstallationRecord{ID: "x"})
	wantCode(t, "a claim without a check", err, store.CodeInvalid)
	_, err = s.ClaimInstallation(t.Context(), store.InstallationRecord{SecretCheck: keyHash(1)})
	wantCode(t, "a claim without an id", err, store.CodeInvalid)

	var group sync.WaitGroup
	kept := make([]store.InstallationRecord, 8)
	for i := range kept {
		group.Go(func() {
			fresh := store.InstallationRecord{ID: string(rune('a' + i)), SecretCheck: keyHash(byte(i + 1)), CreatedAt: startTime()}
			var err error
			if kept[i], err = s.ClaimInstallation(t.Context(), fresh); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	found, err := s.FindInstallation(t.Context())
	if wantCode(t, "Installation", err, ""); found == nil {
		t.Fatal("the claimed record is not found")
	}
	for _, k := range kept {
		if k.ID != found.ID || !bytes.Equal(k.SecretCheck, found.SecretCheck) || !k.CreatedAt.Equal(startTime()) {
			t.Errorf("one claim was answered with %+v, the record is %+v", k, found)
		}
	}
}
