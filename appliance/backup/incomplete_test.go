package backup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/store/badger"
	"munadi/store/storetest/fixture"
)

// damageValue flips bits of the first value in a database's value log.
func damageValue(t *testing.T, data string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(data, databaseFolder, "000001.vlog"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	one := make([]byte, 1)
	_, err = file.ReadAt(one, 30_000)
	one[0] ^= 0xff
	_, err2 := file.WriteAt(one, 30_000)
	if err := errors.Join(err, err2, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestIncompleteBackup: a backup of a damaged database has all other records, fails, and names what is missing: when it
// is made, verified and restored. It replaces no older backup.
func TestIncompleteBackup(t *testing.T) {
	t.Parallel()
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "b")
	s, _ := fillDataFolder(t, data, badger.OpenOptions{})
	whole, _, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, false)
	if err != nil {
		t.Fatal(err)
	}
	damageValue(t, data)
	var incomplete *IncompleteError
	m, opened, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, true)
	const name = "job-result/" + fixture.OrgID + "/job-done"
	if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "job-result: 1") || !opened {
		t.Fatalf("written: %+v, opened %v, %v", m, opened, err)
	}
	if whole.Database["job-result"] != m.Database["job-result"]+1 || whole.Database["call"] != m.Database["call"] {
		t.Errorf("it holds %v, the one before %v", m.Database, whole.Database)
	}
	if older, err := VerifyBackup(file, t.TempDir(), "", passphrase); err != nil || older.Missing != nil {
		t.Errorf("the older one: %+v, %v", older.Missing, err)
	}
	if m, err := VerifyBackup(incomplete.File, t.TempDir(), "", passphrase); err != nil || m.Missing.Names[0] != name {
		t.Errorf("verified: %+v, %v", m.Missing, err)
	}
	to := filepath.Join(t.TempDir(), "new")
	if m, _, err := RestoreBackup(incomplete.File, RestoreTarget{Data: to, Now: fixedClock()}, passphrase); err != nil || m.Missing == nil {
		t.Errorf("restored: %+v, %v", m.Missing, err)
	}
	again, err := badger.OpenStore(filepath.Join(to, databaseFolder), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if m, _, err := WriteBackup(t.Context(), filepath.Join(to, "b"), backupSource(to, again), passphrase, false); err != nil || m.Database["campaign"] != whole.Database["campaign"] {
		t.Errorf("a backup of what was restored: %v, %v", m.Database, err)
	}
}

// TestDamagedRecordings: a backup with a recording that is not as it was written fails and names it, when it is made and
// verified; the copy is as the damaged file is.
func TestDamagedRecordings(t *testing.T) {
	t.Parallel()
	for what, content := range map[string]string{
		"flipped": "t" + fixture.RecordingContent()[1:], "cut off": fixture.RecordingContent()[1:], "empty": "",
	} {
		data, file := t.TempDir(), filepath.Join(t.TempDir(), "b")
		s, filled := fillDataFolder(t, data, badger.OpenOptions{})
		if err := putFile(data, recordingFile(filled), content); err != nil {
			t.Fatal(err)
		}
		var incomplete *IncompleteError
		m, _, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, false)
		if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), "(1): "+recordingFile(filled)) || m.IsComplete() {
			t.Errorf("%s: %+v, %v", what, m, err)
		}
		if m, err := VerifyBackup(file, t.TempDir(), "", passphrase); err != nil || m.IsComplete() {
			t.Errorf("%s, verified: %+v, %v", what, m, err)
		}
	}
}
