package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDebianPackage checks that the package, installed on a minimal Debian, runs as its own user and transcribes; that
// an upgrade keeps data and changed settings; and that removal keeps data and purge removes everything.
func TestDebianPackage(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("builds the packages twice and fetches a small Debian: MUNADI_LONG=1 runs it")
	}
	d := newDebian(t)
	first, second := buildPackages(t, "1.0.0", "amd64", "_amd64.deb"), buildPackages(t, "1.1.0", "amd64", "_amd64.deb")

	d.installDeb(t, first)
	d.wantSystemdCalls(t, "enable --now munadi.service")
	d.checkInstalled(t)
	d.checkUpgraded(t, func() { d.installDeb(t, second) })
	d.wantSystemdCalls(t, "restart munadi.service", "enable --now munadi.service", "stop munadi.service")

	d.runInside(t, "dpkg", "--remove", "munadi")
	d.wantSystemdCalls(t, "stop munadi.service")
	if d.fileExists("usr/bin/munadi") || !d.fileExists("var/lib/munadi/db") || !d.fileExists("etc/munadi/munadi.yaml") {
		t.Error("after the removal: the program is there, or data or settings are not")
	}
	d.installDeb(t, second)
	d.wantSystemdCalls(t, "restart munadi.service")

	d.runInside(t, "dpkg", "--purge", "munadi")
	for _, path := range []string{"var/lib/munadi", "var/cache/munadi", "etc/munadi", "usr/share/munadi", "usr/share/doc/munadi"} {
		if d.fileExists(path) {
			t.Errorf("after the purge: %s", path)
		}
	}
	if passwd, err := os.ReadFile(filepath.Join(d.root, "etc/passwd")); err != nil || strings.Contains(string(passwd), "munadi") {
		t.Errorf("after the purge the user is there: %v", err)
	}
}

// installDeb installs a package whose dependencies are in the minimal Debian.
func (d debianRoot) installDeb(t testing.TB, deb string) {
	t.Helper()
	commandOutput(t, exec.Command("cp", deb, filepath.Join(d.root, "tmp/munadi.deb")))
	d.runInside(t, "dpkg", "--force-confdef", "--install", "/tmp/munadi.deb")
}

// TestLintian checks that lintian reports nothing beyond the explained overrides.
func TestLintian(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("builds the packages: MUNADI_LONG=1 runs it")
	}
	program, err := exec.LookPath("lintian")
	if err != nil {
		t.Skip("no lintian on this machine")
	}
	commandOutput(t, exec.Command(program, "--allow-root", "--fail-on=error,warning", "--display-info", buildPackages(t, "1.0.0", "amd64", "_amd64.deb")))
}
