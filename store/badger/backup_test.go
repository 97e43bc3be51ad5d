package badger

import (
	"bytes"
	"io"
	"path/filepath"
	"sync"
	"testing"

	"munadi/store"
)

// TestBackupWhileOthersWrite: each dump that is taken while calls are booked, ended and delivered is a consistent
// snapshot: every index entry matches its record, every end has its delivery and its retry, and there are no
// duplicates.
func TestBackupWhileOthersWrite(t *testing.T) {
	t.Parallel()
	s, err := OpenStore(t.TempDir(), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	campaignID, err := prepareCalls(s)
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for range 6 {
		writers.Go(func() {
			if err := callLives(s, campaignID, io.Discard); store.CodeOf(err) != store.CodeClosed {
				t.Errorf("a writer ended with %v", err)
			}
		})
	}
	calls := uint64(0)
	for range 4 {
		var dump bytes.Buffer
		if err := s.WriteBackup(t.Context(), &dump); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "db")
		counts, err := RestoreDump(dir, &dump, OpenOptions{})
		if err != nil || counts["call"] < calls {
			t.Fatalf("restored %d calls after %d, %v", counts["call"], calls, err)
		}
		calls = counts["call"]
		again := openTest(t, dir, OpenOptions{})
		checkIndexes(t, again)
		checkNoDuplicates(t, again)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	writers.Wait()
	if calls == 0 {
		t.Error("no write happened meanwhile: the test proves nothing")
	}
}
