package whole_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedValueLog checks what happens to a large campaign whose skipped rows are in the value log, when a byte of
// them flips: start, health, doctor and backup say so, and the campaign can be changed. Without the file the start is
// refused.
func TestDamagedValueLog(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	rows := []jsonObject{{"phone_number": "+966500000001"}}
	for i := range 2000 {
		rows = append(rows, jsonObject{"phone_number": fmt.Sprintf("0%d", i)})
	}
	made := a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "many wrong rows", "scenario_id": "restaurant_order", "starts_at": farFuture(), "skip_invalid": true, "calls": rows,
	}).wantStatus(t, http.StatusCreated).successData(t)
	campaign := "/campaigns/" + made["id"].(string)
	a.stopGracefully(t)
	log := flipSkippedRow(t, filepath.Join(a.Data, "db"))

	b := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	b.tends = append(b.tends, "value log", "cannot be read", "backup failed")
	if status, body := b.probePath(t.Context(), "/health"); status != http.StatusOK || !strings.Contains(body, "value logs are damaged") {
		t.Errorf("health: %d %s", status, body)
	}
	for _, action := range []string{"pause", "resume", "cancel"} {
		data := b.requestAPI(t, http.MethodPost, campaign+"/"+action, nil).wantStatus(t, http.StatusOK).successData(t)
		if data["skipped_unreadable"] != true {
			t.Errorf("%s: %v", action, data)
		}
	}
	doctor := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir(), "--listen", "127.0.0.1:0")
	if doctor.code == 0 || !strings.Contains(doctor.stdout, "value logs are damaged") {
		t.Errorf("doctor: %+v", doctor)
	}
	file := filepath.Join(t.TempDir(), "b")
	saved := runMunadi(t, nil, "backup", file, "--plain", "--data", a.Data)
	if saved.code == 0 || !strings.Contains(saved.stderr, "campaign-skipped: 1") || !strings.Contains(saved.stderr, made["id"].(string)) {
		t.Errorf("backup: %+v", saved)
	}
	restored := filepath.Join(t.TempDir(), "data")
	if got := runMunadi(t, nil, "restore", file, "--data", restored); got.code != 0 || !strings.Contains(got.stderr, "INCOMPLETE") {
		t.Errorf("restore: %+v", got)
	}
	b.stopGracefully(t)
	mustSucceed(t, os.Remove(log))
	runMunadi(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", a.Data, "--cache", cacheDir()).
		wantRefused(t, "no value log", filepath.Base(log), "missing", "restore a backup")
}

// flipSkippedRow changes a byte of skipped rows in a value log and returns the log's path.
func flipSkippedRow(t *testing.T, database string) string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(database, "*.vlog"))
	mustSucceed(t, err)
	for _, path := range logs {
		content, err := os.ReadFile(path)
		mustSucceed(t, err)
		if at := bytes.LastIndex(content, []byte(`"phone_number":"01999"`)); at >= 0 {
			content[at+20] ^= 1
			mustSucceed(t, os.WriteFile(path, content, 0o600))
			return path
		}
	}
	t.Fatal("the skipped rows are in no value log")
	return ""
}
