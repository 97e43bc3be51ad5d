package whole_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNothingIsLeftOut checks that the packages contain all files that operators are told to use; of documentation and
// examples TestPackagedDocuments checks it.
func TestNothingIsLeftOut(t *testing.T) {
	t.Parallel()
	listed := string(readProjectFile(t, "packaging/nfpm.yaml"))
	if pattern := regexp.MustCompile(`src: [^,]*\*`).FindString(listed); pattern != "" {
		t.Errorf("%s: nfpm expands no patterns in the documentation of an rpm; list the files", pattern)
	}
	for _, folder := range []string{"grafana", "systemd"} {
		files, err := os.ReadDir(projectPath(t, "packaging/"+folder))
		mustSucceed(t, err)
		for _, f := range files {
			if src := "src: packaging/" + folder + "/" + f.Name() + ","; !strings.Contains(listed, src) {
				t.Errorf("%s/%s is not in the packages", folder, f.Name())
			}
		}
	}
}

// TestSecretsHaveTheirFile checks that every setting that only the environment can set has its line in the packages'
// environment file.
func TestSecretsHaveTheirFile(t *testing.T) {
	t.Parallel()
	_, secrets, _ := strings.Cut(runMunadi(t, nil, "serve", "--help").stdout, "Environment only (secrets):\n")
	shipped := string(readProjectFile(t, "packaging/systemd/munadi.environment"))
	names := regexp.MustCompile(`\$(MUNADI_\w+)`).FindAllStringSubmatch(secrets, -1)
	if len(names) < 5 {
		t.Fatalf("the help lists %v", names)
	}
	for _, name := range names {
		if !strings.Contains(shipped, "\n#"+name[1]+"=\n") {
			t.Errorf("%s has no line", name[1])
		}
	}
	if regexp.MustCompile(`(?m)^[^#\n]`).MatchString(shipped) {
		t.Error("the file sets something")
	}
}

// TestManPage checks that the man page lists every command with its flags, and that man reports no fault.
func TestManPage(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("man")
	if err != nil {
		t.Skip("no man on this machine")
	}
	source := readProjectFile(t, "packaging/man/munadi.1.in")
	fill := exec.Command(projectPath(t, "packaging/man/fill"), builtBinary(t), "1.2.3", "2026-01-01")
	fill.Stdin = bytes.NewReader(source)
	page, err := fill.Output()
	mustSucceed(t, err)
	path := filepath.Join(t.TempDir(), "munadi.1")
	mustSucceed(t, os.WriteFile(path, page, 0o600))
	cmd := exec.Command(program, "--warnings", "--local-file", path)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANWIDTH=100", "MAN_KEEP_FORMATTING=")
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	mustSucceed(t, err)
	if faults.Len() > 0 {
		t.Errorf("man says: %s", &faults)
	}
	for _, want := range []string{
		"munadi serve", "munadi transcribe <file>", "munadi mic", "munadi keys revoke <id>", "munadi doctor",
		"--passphrase-file=FILE", "MUNADI_LLM_KEY", "max-upload: 100MiB", "SIGTERM", "SIGHUP", "/etc/munadi/munadi.yaml", "munadi 1.2.3",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if regexp.MustCompile(`@[A-Z]+@`).Match(page) {
		t.Error("something was not filled in")
	}
}
