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

// debian is a small Debian in a folder, where a package is installed.
type debian struct{ root string }

// newDebian unpacks the smallest Debian, which is fetched once. In place of systemd stands a program that notes what
// it is told, so that a package's scripts see a machine that systemd runs.
func newDebian(t testing.TB) debian {
	t.Helper()
	program, err := exec.LookPath("debootstrap")
	if err != nil || os.Getuid() != 0 {
		t.Skip("no debootstrap on this machine, or not root, who alone can use it")
	}
	packed, err := filepath.Abs(project + "/.cache/bookworm.tar")
	must(t, err)
	d := debian{filepath.Join(t.TempDir(), "root")}
	must(t, os.Mkdir(d.root, 0o755))
	if _, err := os.Stat(packed); err != nil {
		say(t, exec.Command(program, "--variant=minbase", "bookworm", d.root))
		say(t, exec.Command("tar", "--create", "--file", packed+".part", "--exclude=./var/cache/apt/archives/*.deb", "--directory", d.root, "."))
		must(t, os.Rename(packed+".part", packed))
	} else {
		say(t, exec.Command("tar", "--extract", "--file", packed, "--directory", d.root))
	}
	t.Cleanup(func() { _ = exec.Command("umount", filepath.Join(d.root, "proc")).Run() })
	say(t, exec.Command("mount", "--types", "proc", "proc", filepath.Join(d.root, "proc"))) // a Go program finds itself there
	must(t, os.MkdirAll(filepath.Join(d.root, "run/systemd/system"), 0o755))
	must(t, os.WriteFile(filepath.Join(d.root, "usr/bin/systemctl"), []byte("#!/bin/sh\necho \"$*\" >>/run/told\n"), 0o755))
	return d
}

// run runs a command inside, as root.
func (d debian) run(t testing.TB, args ...string) string {
	t.Helper()
	return say(t, exec.Command("chroot", append([]string{d.root}, args...)...))
}

// told wants that systemd was told so by a package's scripts since the last time, and of nothing like it in vain.
func (d debian) told(t testing.TB, want string, never ...string) {
	t.Helper()
	log := filepath.Join(d.root, "run/told")
	text, err := os.ReadFile(log)
	must(t, err)
	must(t, os.Remove(log))
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

// modeOf is a file's owner, group and permissions inside.
func (d debian) modeOf(t testing.TB, path string) string {
	t.Helper()
	return strings.TrimSpace(d.run(t, "stat", "--format=%U:%G %a", path))
}

// there tells whether a file is inside.
func (d debian) there(path string) bool {
	_, err := os.Lstat(filepath.Join(d.root, path))
	return err == nil
}

// serve starts the unit's ExecStart as its user, with a stand-in for systemd, and returns when it is ready.
func (d debian) serve(t testing.TB) *instance {
	t.Helper()
	unit, err := os.ReadFile(filepath.Join(d.root, "usr/lib/systemd/system/munadi.service"))
	must(t, err)
	exec := regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindSubmatch(unit)
	if exec == nil {
		t.Fatal("the unit starts nothing")
	}
	m := newManager(t, filepath.Join(d.root, "run", "notify"))
	defer func() { _ = os.Remove(m.path) }()
	script := filepath.Join(t.TempDir(), "unit")
	must(t, os.WriteFile(script, fmt.Appendf(nil,
		"#!/bin/sh\nexec chroot --userspec=munadi:munadi --groups=audio %s %s --listen 127.0.0.1:0\n", d.root, exec[1]), 0o700))
	a, err := launch(script, settings{bare: true, env: []string{"NOTIFY_SOCKET=/run/notify", "MUNADI_BOOTSTRAP_API_KEY=" + bootstrapKey}})
	if err != nil {
		t.Fatal(err)
	}
	m.await(t, "READY=1")
	return a
}

// hears wants text for the formats that differ most: as it stands, and by a decoder in a process of its own.
func hears(t testing.TB, a *instance) {
	t.Helper()
	a.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, 200)
	a.post(t, transcriptions, file(sample(t, "order.flac"))).want(t, 200)
	a.post(t, transcriptions, file(read(t, "engine/audio/testdata/mono.opus"))).want(t, 200)
}

// installed wants the files of a fresh installation to be whose they should.
func (d debian) installed(t testing.TB) {
	t.Helper()
	for path, want := range map[string]string{
		"/usr/bin/munadi": "root:root 755", "/etc/munadi/environment": "root:root 600", "/etc/munadi/munadi.yaml": "root:munadi 640",
		"/var/lib/munadi": "munadi:munadi 700", "/var/cache/munadi": "munadi:munadi 700",
	} {
		if got := d.modeOf(t, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if !d.there("usr/share/munadi/grafana/munadi.json") {
		t.Error("the dashboard is not there")
	}
	if groups := d.run(t, "id", "--groups", "--name", "munadi"); !strings.Contains(groups, "audio") {
		t.Errorf("the user's groups: %s", groups)
	}
	released(t, filepath.Join(d.root, "usr/bin/munadi"))
}

// upgraded runs what is installed, has it upgraded to 1.1.0 meanwhile, and runs that: data and changed settings stay.
func (d debian) upgraded(t testing.TB, upgrade func()) {
	t.Helper()
	a := d.serve(t)
	hears(t, a)
	settingsFile := filepath.Join(d.root, "etc/munadi/munadi.yaml")
	text, err := os.ReadFile(settingsFile)
	must(t, err)
	must(t, os.WriteFile(settingsFile, append(text, "# ours\n"...), 0o640))
	upgrade()
	hears(t, a)
	a.stop(t)
	if version := d.run(t, "/usr/bin/munadi", "version"); !strings.Contains(version, "1.1.0") {
		t.Errorf("after the upgrade: %s", version)
	}
	if text, err = os.ReadFile(settingsFile); err != nil || !strings.HasSuffix(string(text), "# ours\n") {
		t.Errorf("the upgrade did not keep the changed settings: %v", err)
	}
	b := d.serve(t) // its first key is still good
	hears(t, b)
	b.stop(t)
}
