package whole_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// debianRoot is a minimal Debian in a folder, where packages are installed.
type debianRoot struct{ root string }

// newDebian unpacks the minimal Debian, which is downloaded once. systemctl is replaced by a program that records its
// arguments, so that package scripts behave as under systemd.
func newDebian(t testing.TB) debianRoot {
	t.Helper()
	program, err := exec.LookPath("debootstrap")
	if err != nil || os.Getuid() != 0 {
		t.Skip("no debootstrap on this machine, or not root, who alone can use it")
	}
	packed, err := filepath.Abs(project + "/.cache/bookworm.tar")
	mustSucceed(t, err)
	d := debianRoot{filepath.Join(t.TempDir(), "root")}
	mustSucceed(t, os.Mkdir(d.root, 0o755))
	if _, err := os.Stat(packed); err != nil {
		commandOutput(t, exec.Command(program, "--variant=minbase", "bookworm", d.root))
		commandOutput(t, exec.Command("tar", "--create", "--file", packed+".part", "--exclude=./var/cache/apt/archives/*.deb", "--directory", d.root, "."))
		mustSucceed(t, os.Rename(packed+".part", packed))
	} else {
		commandOutput(t, exec.Command("tar", "--extract", "--file", packed, "--directory", d.root))
	}
	t.Cleanup(func() { _ = exec.Command("umount", filepath.Join(d.root, "proc")).Run() })
	commandOutput(t, exec.Command("mount", "--types", "proc", "proc", filepath.Join(d.root, "proc"))) // Go programs read /proc/self/exe
	mustSucceed(t, os.MkdirAll(filepath.Join(d.root, "run/systemd/system"), 0o755))
	mustSucceed(t, os.WriteFile(filepath.Join(d.root, "usr/bin/systemctl"), []byte("#!/bin/sh\necho \"$*\" >>/run/told\n"), 0o755))
	return d
}

// runInside runs a command in the Debian, as root.
func (d debianRoot) runInside(t testing.TB, args ...string) string {
	t.Helper()
	return commandOutput(t, exec.Command("chroot", append([]string{d.root}, args...)...))
}

// wantSystemdCalls fails unless the package scripts have made the wanted systemctl calls since the last check, and none
// of the others.
func (d debianRoot) wantSystemdCalls(t testing.TB, want string, never ...string) {
	t.Helper()
	log := filepath.Join(d.root, "run/told")
	text, err := os.ReadFile(log)
	mustSucceed(t, err)
	mustSucceed(t, os.Remove(log))
	lines := strings.Split(string(text), "\n")
	if !slices.Contains(lines, want) {
		t.Errorf("systemd was told %q, not %q", lines, want)
	}
	for _, line := range never {
		if slices.Contains(lines, line) {
			t.Errorf("systemd was told %q among %q", line, lines)
		}
	}
}

// modeOf returns a file's owner, group and permissions.
func (d debianRoot) modeOf(t testing.TB, path string) string {
	t.Helper()
	return strings.TrimSpace(d.runInside(t, "stat", "--format=%U:%G %a", path))
}

func (d debianRoot) fileExists(path string) bool {
	_, err := os.Lstat(filepath.Join(d.root, path))
	return err == nil
}

// startUnit runs the unit's ExecStart as its user with a fake systemd, and returns when it is ready.
func (d debianRoot) startUnit(t testing.TB) *testInstance {
	t.Helper()
	unit, err := os.ReadFile(filepath.Join(d.root, "usr/lib/systemd/system/munadi.service"))
	mustSucceed(t, err)
	exec := regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindSubmatch(unit)
	if exec == nil {
		t.Fatal("the unit starts nothing")
	}
	m := newManager(t, filepath.Join(d.root, "run", "notify"))
	defer func() { _ = os.Remove(m.path) }()
	script := filepath.Join(t.TempDir(), "unit")
	mustSucceed(t, os.WriteFile(script, fmt.Appendf(nil,
		"#!/bin/sh\nexec chroot --userspec=munadi:munadi --groups=audio %s %s --listen 127.0.0.1:0\n", d.root, exec[1]), 0o700))
	a, err := launchProcess(script, instanceSettings{bare: true, env: []string{"NOTIFY_SOCKET=/run/notify", "MUNADI_BOOTSTRAP_API_KEY=" + bootstrapKey}})
	if err != nil {
		t.Fatal(err)
	}
	m.awaitState(t, "READY=1")
	return a
}

// checkFormats transcribes both kinds of formats: decoded in the process, and by a decoder process.
func checkFormats(t testing.TB, a *testInstance) {
	t.Helper()
	a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 200)
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200)
	a.postForm(t, transcriptions, withFile(readProjectFile(t, "engine/audio/testdata/mono.opus"))).wantStatus(t, 200)
}

// checkInstalled checks the owners and permissions of a fresh installation.
func (d debianRoot) checkInstalled(t testing.TB) {
	t.Helper()
	for path, want := range map[string]string{
		"/usr/bin/munadi": "root:root 755", "/etc/munadi/environment": "root:root 600", "/etc/munadi/munadi.yaml": "root:munadi 640",
		"/var/lib/munadi": "munadi:munadi 700", "/var/cache/munadi": "munadi:munadi 700",
	} {
		if got := d.modeOf(t, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if !d.fileExists("usr/share/munadi/grafana/munadi.json") {
		t.Error("the dashboard is not there")
	}
	if groups := d.runInside(t, "id", "--groups", "--name", "munadi"); !strings.Contains(groups, "audio") {
		t.Errorf("the user's groups: %s", groups)
	}
	checkReleased(t, filepath.Join(d.root, "usr/bin/munadi"))
}

// checkUpgraded runs the installed version, upgrades it to 1.1.0 meanwhile, and runs that: data and changed settings
// stay.
func (d debianRoot) checkUpgraded(t testing.TB, upgrade func()) {
	t.Helper()
	a := d.startUnit(t)
	checkFormats(t, a)
	settingsFile := filepath.Join(d.root, "etc/munadi/munadi.yaml")
	text, err := os.ReadFile(settingsFile)
	mustSucceed(t, err)
	mustSucceed(t, os.WriteFile(settingsFile, append(text, "# ours\n"...), 0o640))
	upgrade()
	checkFormats(t, a)
	a.stopGracefully(t)
	if version := d.runInside(t, "/usr/bin/munadi", "version"); !strings.Contains(version, "1.1.0") {
		t.Errorf("after the upgrade: %s", version)
	}
	if text, err = os.ReadFile(settingsFile); err != nil || !strings.HasSuffix(string(text), "# ours\n") {
		t.Errorf("the upgrade did not keep the changed settings: %v", err)
	}
	b := d.startUnit(t) // the first key is still valid
	checkFormats(t, b)
	b.stopGracefully(t)
}
