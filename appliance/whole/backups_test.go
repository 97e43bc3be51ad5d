package whole_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// oldDatabase creates a data folder with a database of format 1.
func oldDatabase(t *testing.T) (data string) {
	t.Helper()
	content := readProjectFile(t, "store/badger/testdata/format1.zip")
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	mustSucceed(t, err)
	data = filepath.Join(t.TempDir(), "data")
	mustSucceed(t, os.MkdirAll(filepath.Join(data, "db"), 0o700))
	for _, f := range archive.File {
		in, err := f.Open()
		mustSucceed(t, err)
		content, err := io.ReadAll(in)
		mustSucceed(t, err)
		mustSucceed(t, os.WriteFile(filepath.Join(data, "db", f.Name), content, 0o600))
	}
	mustSucceed(t, os.WriteFile(filepath.Join(data, "secret.key"), make([]byte, 32), 0o600)) // the database was made with one
	return data
}

// backupsIn lists the backup files of a data folder by prefix.
func backupsIn(t *testing.T, data, prefix string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(data, "backups", prefix+"*.backup"))
	mustSucceed(t, err)
	return found
}

// TestUpgradeIsBackedUpFirst checks that a database is upgraded only after a backup that can be restored.
func TestUpgradeIsBackedUpFirst(t *testing.T) {
	t.Parallel()
	data := oldDatabase(t)
	inTheWay := filepath.Join(data, "backups")
	mustSucceed(t, os.WriteFile(inTheWay, nil, 0o600))
	serve := []string{"serve", "--listen", "127.0.0.1:0", "--data", data, "--cache", cacheDir()}
	runMunadi(t, nil, serve...).wantRefused(t, "no place for a backup", "format 1", "not upgraded", "backup", inTheWay)
	runMunadi(t, nil, "keys", "list", "--data", data).wantRefused(t, "keys of an old database", "start the appliance once")
	mustSucceed(t, os.Remove(inTheWay))

	a := startInstance(t, instanceSettings{data: data, noKey: true})
	a.tends = append(a.tends, "job failed") // the fixture has a job without its upload
	made := backupsIn(t, data, "before-upgrade-from-1-")
	if len(made) != 1 || !strings.Contains(a.log.String(), filepath.Base(made[0])) {
		t.Fatalf("backups %v, log %s", made, a.log.lastLines())
	}
	verified := runMunadi(t, nil, "restore", "--verify", made[0], "--data", data)
	if verified.code != 0 || !strings.Contains(verified.stderr, "2 organizations") {
		t.Errorf("%+v", verified)
	}
	a.stopGracefully(t)
	again := startInstance(t, instanceSettings{data: data, noKey: true})
	if made := backupsIn(t, data, "before-upgrade-"); len(made) != 1 || strings.Contains(again.log.String(), "is upgraded") {
		t.Errorf("a second start made %v", made)
	}
	if left, err := filepath.Glob(filepath.Join(data, ".restore-*")); err != nil || len(left) > 0 {
		t.Errorf("left of the verification: %v, %v", left, err)
	}
}

// TestBackupFromTheConsole checks that the system page shows the state of backups and makes one on request.
func TestBackupFromTheConsole(t *testing.T) {
	t.Parallel()
	const password = "falcon over the ridge"
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + password}})
	o := a.newOperator(t)
	o.openPage("/console/sign-in")
	o.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", password)
	if before := o.openPage("/console/system"); !strings.Contains(before, "None yet.") || !strings.Contains(before, "Next one") {
		t.Errorf("before: %s", before)
	}
	o.submitForm("/console/system/backup", http.StatusOK)
	var made []string
	for deadline := time.Now().Add(patience); len(made) == 0; time.Sleep(50 * time.Millisecond) {
		if made = backupsIn(t, a.Data, "nightly-"); time.Now().After(deadline) {
			t.Fatal("no backup was made")
		}
	}
	if after := o.openPage("/console/system"); strings.Contains(after, "None yet.") {
		t.Errorf("after: %s", after)
	}
	if verified := runMunadi(t, nil, "restore", "--verify", made[0], "--data", a.Data); verified.code != 0 {
		t.Errorf("%+v", verified)
	}
	if shown := a.getPath(t, "/metrics").String(); !strings.Contains(shown, "munadi_backup_last_timestamp_seconds 1") ||
		!strings.Contains(shown, "munadi_backup_failing 0") {
		t.Error("the metrics know of no backup")
	}
	trail := o.openPage("/console/audit")
	if !strings.Contains(trail, "asked for a backup") {
		t.Errorf("the audit trail says %s", trail)
	}
}
