// Package testrun tests the script that runs every test of the module.
package testrun

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFailuresAreRepeated runs modules of one kind of failure each: only a test that holds when it is repeated is
// excused, and said.
func TestFailuresAreRepeated(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs("run")
	if err != nil {
		t.Fatal(err)
	}
	const once = `if _, err := os.Stat("seen"); err != nil { os.WriteFile("seen", nil, 0o600); t.Fail() }`
	for name, c := range map[string]struct {
		tests []string // bodies
		code  int
		says  string
	}{
		"all hold":           {[]string{``}, 0, "ok"},
		"one fails once":     {[]string{once, ``}, 0, "UNSTEADY: Test0 of sample"},
		"one fails always":   {[]string{`t.Fail()`}, 1, "three runs more"},
		"one fails at times": {[]string{`f, _ := os.ReadFile("n"); os.WriteFile("n", append(f, 'x'), 0o600); if len(f)%3 == 0 { t.Fail() }`}, 1, "three runs more"},
		"four fail once":     {[]string{once + `; t.Fail()`, `t.Fail()`, `t.Fail()`, `t.Fail()`}, 1, "FAIL"},
		"a panic":            {[]string{`if _, err := os.Stat("seen"); err != nil { os.WriteFile("seen", nil, 0o600); panic("x") }`}, 1, "panic"},
		"no build":           {[]string{`undefined`}, 1, "build failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(script)
			cmd.Dir = writeModule(t, c.tests)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.says) {
				t.Errorf("%v, want exit code %d and %q:\n%s", err, c.code, c.says, out)
			}
		})
	}
}

// TestLongestPackagesStartFirst runs a module of two packages.
func TestLongestPackagesStartFirst(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs("run")
	if err != nil {
		t.Fatal(err)
	}
	folder := writeModule(t, []string{""})
	long := filepath.Join(folder, "long")
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(folder, "sample_test.go"), filepath.Join(long, "long_test.go")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(script)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "FIRST=./long")
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 2 || !strings.HasPrefix(lines[0], "ok  \tsample/long\t") || !strings.HasPrefix(lines[1], "ok  \tsample\t") {
		t.Errorf("%v:\n%s", err, out)
	}
}

// writeModule writes a module with a test of each body.
func writeModule(t *testing.T, bodies []string) string {
	t.Helper()
	folder := t.TempDir()
	text := "package sample\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Stat\n"
	for i, body := range bodies {
		text += "\nfunc Test" + string(rune('0'+i)) + "(t *testing.T) { " + body + " }\n"
	}
	for name, content := range map[string]string{"go.mod": "module sample\n\ngo 1.26\n", "sample_test.go": text} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
