package whole_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// nobody is the id of the user and group without rights.
const nobody = 65534

// TestRedHatPackage checks that the package, installed by rpm into a folder, runs as its own user and transcribes; that
// an upgrade keeps data and changed settings; and that its removal keeps both and leaves no empty folders. The folder
// holds a Debian, so dependencies are not checked.
func TestRedHatPackage(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("builds the packages twice and fetches a small Debian: MUNADI_LONG=1 runs it")
	}
	if _, err := exec.LookPath("rpm"); err != nil {
		t.Skip("no rpm on this machine")
	}
	d := newDebian(t)
	first, second := buildPackages(t, "1.0.0", "amd64", ".x86_64.rpm"), buildPackages(t, "1.1.0", "amd64", ".x86_64.rpm")

	d.runRPM(t, "--install", "--nodeps", first)
	d.wantSystemdCalls(t, "enable --now munadi.service")
	d.checkInstalled(t)
	if documents := d.runRPM(t, "--query", "--docfiles", "munadi"); !strings.Contains(documents, "/usr/share/man/man1/munadi.1.gz") {
		t.Errorf("documentation: %s", documents)
	}
	d.checkUpgraded(t, func() { d.runRPM(t, "--upgrade", "--nodeps", second) })
	d.wantSystemdCalls(t, "try-restart munadi.service", "enable --now munadi.service", "disable --now munadi.service")

	d.runRPM(t, "--erase", "munadi")
	d.wantSystemdCalls(t, "disable --now munadi.service")
	if !d.fileExists("var/lib/munadi/db") || !d.fileExists("etc/munadi/munadi.yaml.rpmsave") {
		t.Error("after the erasure data or changed settings are gone")
	}
	for _, path := range []string{"usr/bin/munadi", "usr/share/munadi", "usr/share/doc/munadi", "usr/share/licenses/munadi"} {
		if d.fileExists(path) {
			t.Errorf("after the erasure: %s", path)
		}
	}
}

// runRPM runs rpm on the folder; Debian's rpm warns that it is not for Debian packages.
func (d debianRoot) runRPM(t testing.TB, args ...string) string {
	t.Helper()
	return commandOutput(t, exec.Command("rpm", append([]string{"--root", d.root}, args...)...))
}

// TestRpmlint checks that rpmlint reports nothing beyond its explained settings.
func TestRpmlint(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("builds the packages: MUNADI_LONG=1 runs it")
	}
	program, err := exec.LookPath("rpmlint")
	if err != nil {
		t.Skip("no rpmlint on this machine")
	}
	folder, err := os.MkdirTemp("", "rpmlint-")
	mustSucceed(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	mustSucceed(t, os.Chmod(folder, 0o755)) // readable for other users
	commandOutput(t, exec.Command("cp", projectPath(t, "packaging/rpmlintrc"), buildPackages(t, "1.0.0", "amd64", ".x86_64.rpm"), folder))
	cmd := exec.Command("sh", "-c", `cd "$1" && HOME=$1 exec "$0" --rpmlintrc rpmlintrc ./*.rpm`, program, folder)
	if os.Getuid() == 0 { // as root rpmlint would unpack the rpm's absolute paths over this machine's files
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	said := commandOutput(t, cmd)
	if !strings.Contains(said, " 0 errors, 0 warnings") {
		t.Error(said)
	}
}
