package whole_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"munadi/store/postgres/postgrestest"
)

// verifyAudit runs munadi audit verify on the appliance's data folder.
func (a *testInstance) verifyAudit(t testing.TB, args ...string) (code int, said string) {
	t.Helper()
	got := runMunadi(t, nil, append([]string{"audit", "verify", "--data", a.Data}, args...)...)
	return got.code, got.stdout + got.stderr
}

// TestAuditVerify checks that the audit log of a used appliance is whole, while it runs and after it has stopped.
func TestAuditVerify(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	a.keysCommand(t, "create", "--name", "second")
	a.bookOf(t, farFuture(), http.StatusCreated)
	if code, said := a.verifyAudit(t); code != 0 || !strings.Contains(said, "default: ") || !strings.Contains(said, "unchanged") {
		t.Errorf("running: %d %s", code, said)
	}
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	export := func(args ...string) commandOutcome {
		return runMunadi(t, nil, append([]string{"audit", "export", file, "--data", a.Data}, args...)...)
	}
	if got := export(); got.code != 0 {
		t.Errorf("export: %d %s", got.code, got.stderr)
	}
	printed := runMunadi(t, nil, "evidence", "key", "--data", a.Data)
	if got := runMunadi(t, nil, "audit", "verify", file, "--key", strings.TrimSpace(printed.stdout)); got.code != 0 ||
		!strings.Contains(got.stdout, "nothing is missing") {
		t.Errorf("the file: %d %s%s", got.code, got.stdout, got.stderr)
	}
	if got := runMunadi(t, nil, "audit", "verify", file, "--compare", "--data", a.Data); got.code != 0 ||
		!strings.Contains(got.stdout, "still has everything") {
		t.Errorf("compared: %d %s%s", got.code, got.stdout, got.stderr)
	}
	if got := export("--org", "nobody"); got.code == 0 {
		t.Error("exported the audit log of no organization")
	}
	a.stopGracefully(t)
	if got := export("--action", "call."); got.code != 0 {
		t.Errorf("export of a stopped appliance: %d %s", got.code, got.stderr)
	}
	if got := runMunadi(t, nil, "audit", "verify", file); !strings.Contains(got.stdout, "entries of action call.: each is unchanged") {
		t.Errorf("a filtered file: %d %s%s", got.code, got.stdout, got.stderr)
	}
	if code, said := a.verifyAudit(t); code != 0 {
		t.Errorf("stopped: %d %s", code, said)
	}
	secret := projectPath(t, "LICENSE") // not the installation's
	if code, said := a.verifyAudit(t, "--secret-file", secret); code == 0 {
		t.Errorf("with another secret: %s", said)
	}
}

// TestAuditEditedBySQL checks that an administrator of the database who edits the audit log is found out, while the
// appliance runs and after it has stopped.
func TestAuditEditedBySQL(t *testing.T) {
	t.Parallel()
	server := postgrestest.OpenServer(t, true)
	store := []string{"--store", server.URL("")}
	a := startInstance(t, instanceSettings{args: store})
	for range 3 {
		a.bookOf(t, farFuture(), http.StatusCreated)
	}
	check := func(what, words string) {
		t.Helper()
		code, said := a.verifyAudit(t, store...)
		if (code == 0) != (words == "") || !strings.Contains(said, words) {
			t.Errorf("%s: %d %s, want %q", what, code, said, words)
		}
	}
	server.Run(t, "CREATE TABLE kept AS SELECT * FROM audit")
	for _, state := range []string{"running, ", "stopped, "} {
		check(state+"untouched", "")
		server.Run(t, "DELETE FROM audit WHERE rank = (SELECT max(rank) FROM audit)")
		check(state+"the last removed", "are missing")
		server.Run(t, "DELETE FROM audit; INSERT INTO audit SELECT * FROM kept")
		check(state+"restored", "")
		server.Run(t, "UPDATE audit SET record = convert_to(replace(convert_from(record, 'UTF8'), 'call.create', 'call.cancel'), 'UTF8')")
		check(state+"edited", "was changed")
		server.Run(t, "DELETE FROM audit; INSERT INTO audit SELECT * FROM kept")
		if state == "running, " {
			a.stopGracefully(t)
		}
	}
}
