package asvs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// vulnerable says that norm.Form.String, which passwords go through, is vulnerable in every version (OSV 1.3).
const vulnerable = `{"schema_version":"1.3.1","id":"GO-2099-0001","modified":"2099-01-01T00:00:00Z",
	"published":"2099-01-01T00:00:00Z","summary":"made up","details":"made up","affected":[{
	"package":{"name":"golang.org/x/text","ecosystem":"Go"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],
	"ecosystem_specific":{"imports":[{"path":"golang.org/x/text/unicode/norm","symbols":["Form.String"]}]}}],
	"database_specific":{"url":"https://example.com","review_status":"REVIEWED"}}`

// TestKnownVulnerabilities: packaging/vuln fails for one that our code reaches, not for an empty database, and says so
// loudly when the database can't be reached, which is a failure where a release needs it.
func TestKnownVulnerabilities(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(project + "/.cache/bin/govulncheck"); err != nil {
		t.Skip("no govulncheck here: packaging/setup vuln installs it")
	}
	for _, c := range []struct {
		name, database, says string
		code                 int
	}{
		{"none", writeDatabase(t, "[]", ""), "No vulnerabilities found", 0},
		{
			"one", writeDatabase(t, `[{"path":"golang.org/x/text","vulns":[{"id":"GO-2099-0001","modified":"2099-01-01T00:00:00Z"}]}]`, vulnerable),
			"GO-2099-0001", 3,
		},
		{"unreachable", "http://127.0.0.1:1", "!!! vuln: SKIPPED", 0},
		{"unreachable, for a release", "http://127.0.0.1:1", "!!! vuln: SKIPPED", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("packaging/vuln", "./appliance/auth")
			cmd.Dir = project
			cmd.Env = append(os.Environ(), "GOVULNDB="+c.database)
			if c.code == 4 {
				cmd.Env = append(cmd.Env, "VULN=require")
			}
			out, _ := cmd.CombinedOutput() // its exit code is looked at
			if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s", cmd.ProcessState.ExitCode(), c.code, c.says, out)
			}
		})
	}
}

// writeDatabase returns a vulnerability database in a folder.
func writeDatabase(t *testing.T, modules, entry string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"index/db.json": `{"modified":"2099-01-01T00:00:00Z"}`, "index/modules.json": modules, "ID/GO-2099-0001.json": entry,
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return "file://" + folder
}
