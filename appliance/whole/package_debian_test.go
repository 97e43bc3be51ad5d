package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDebianPackage: installed into a bare Debian it runs as its own user and hears; an upgrade keeps data and changed
// settings; its removal keeps data too, its purge nothing.
func TestDebianPackage(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("builds the packages twice and fetches a small Debian: MUNADI_LONG=1 runs it")
	}
	d := newDebian(t)
	first, second := packages(t, "1.0.0", "amd64", "_amd64.deb"), packages(t, "1.1.0", "amd64", "_amd64.deb")

	d.dpkg(t, first)
	d.told(t, "enable --now munadi.service")
	d.installed(t)
	d.upgraded(t, func() { d.dpkg(t, second) })
	d.told(t, "restart munadi.service", "enable --now munadi.service", "stop munadi.service")

	d.run(t, "dpkg", "--remove", "munadi")
	d.told(t, "stop munadi.service")
	if d.there("usr/bin/munadi") || !d.there("var/lib/munadi/db") || !d.there("etc/munadi/munadi.yaml") {
		t.Error("after the removal: the program is there, or data or settings are not")
	}
	d.dpkg(t, second)
	d.told(t, "restart munadi.service")

	d.run(t, "dpkg", "--purge", "munadi")
	for _, path := range []string{"var/lib/munadi", "var/cache/munadi", "etc/munadi", "usr/share/munadi", "usr/share/doc/munadi"} {
		if d.there(path) {
			t.Errorf("after the purge: %s", path)
		}
	}
	if passwd, err := os.ReadFile(filepath.Join(d.root, "etc/passwd")); err != nil || strings.Contains(string(passwd), "munadi") {
		t.Errorf("after the purge the user is there: %v", err)
	}
}

// dpkg brings a package in, whose dependencies are in the smallest Debian already.
func (d debian) dpkg(t testing.TB, deb string) {
	t.Helper()
	say(t, exec.Command("cp", deb, filepath.Join(d.root, "tmp/munadi.deb")))
	d.run(t, "dpkg", "--force-confdef", "--install", "/tmp/munadi.deb")
}

// TestLintian: Debian's own checker finds nothing in the deb that is not explained in the overrides.
func TestLintian(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("builds the packages: MUNADI_LONG=1 runs it")
	}
	program, err := exec.LookPath("lintian")
	if err != nil {
		t.Skip("no lintian on this machine")
	}
	say(t, exec.Command(program, "--allow-root", "--fail-on=error,warning", "--display-info", packages(t, "1.0.0", "amd64", "_amd64.deb")))
}
