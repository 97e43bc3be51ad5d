package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/store/badger"
	"munadi/store/job"
)

// damageResult adds a job with a result that is stored in the value log, and damages it.
func damageResult(t *testing.T, data string, s *badger.BadgerStore) {
	t.Helper()
	ctx, result := t.Context(), []byte(`"`+strings.Repeat("0123456789", 10_000)+`"`)
	for _, step := range []func() error{
		func() error {
			j := job.Job{ID: "long", OrgID: "bakery", Status: job.Queued, Input: "x", CreatedAt: fixedClock()}
			return s.EnqueueJob(ctx, j, job.QueueLimits{})
		},
		func() error { _, _, err := s.ClaimJob(ctx, fixedClock()); return err },
		func() error { return s.FinishJob(ctx, "bakery", "long", json.RawMessage(result), fixedClock()) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(data, databaseFolder, "000001.vlog")
	content, err := os.ReadFile(path)
	at := bytes.Index(content, result)
	if err != nil || at < 0 {
		t.Fatal("the result is not in the value log", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("x"), int64(at)+50_000); err != nil || file.Close() != nil {
		t.Fatal(err)
	}
}

// TestIncompleteBackup: a backup of a damaged database has all other records, fails, and names what is missing: when it
// is made, verified and restored. It replaces no older backup.
func TestIncompleteBackup(t *testing.T) {
	t.Parallel()
	const name = "job-result/bakery/long"
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "b")
	s, booked := fillDataFolder(t, data, badger.OpenOptions{})
	if _, _, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, false); err != nil {
		t.Fatal(err)
	}
	damageResult(t, data, s)
	var incomplete *IncompleteError
	m, opened, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, true)
	if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "job-result: 1") || !opened {
		t.Fatalf("written: %+v, opened %v, %v", m, opened, err)
	}
	if whole, err := VerifyBackup(file, t.TempDir(), "", passphrase); err != nil || whole.Missing != nil {
		t.Errorf("the older one: %+v, %v", whole.Missing, err)
	}
	if m, err := VerifyBackup(incomplete.File, t.TempDir(), "", passphrase); err != nil || m.Missing == nil || m.Missing.Names[0] != name {
		t.Errorf("verified: %+v, %v", m.Missing, err)
	}
	to := filepath.Join(t.TempDir(), "new")
	if m, _, err := RestoreBackup(incomplete.File, RestoreTarget{Data: to, Now: fixedClock()}, passphrase); err != nil || m.Missing.Records["job-result"] != 1 {
		t.Errorf("restored: %+v, %v", m.Missing, err)
	}
	wantRestored(t, to, booked, badger.OpenOptions{})
	again, err := badger.OpenStore(filepath.Join(to, databaseFolder), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if _, _, err := WriteBackup(t.Context(), filepath.Join(to, "b"), backupSource(to, again), passphrase, false); err != nil {
		t.Errorf("a backup of what was restored: %v", err)
	}
}
