package whole_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// debian is a small Debian in a folder, where a package is installed.
type debian struct{ root string }

// newDebian unpacks the smallest Debian, which is fetched once.
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
	t.Cleanup(func() { _ = exec.Command("umount", filepath.Join(d.root, "proc")).Run() }) // what is not mounted stays so
	defer func() {
		if !t.Failed() { // a Go program finds itself by /proc
			say(t, exec.Command("mount", "--types", "proc", "proc", filepath.Join(d.root, "proc")))
		}
	}()
	if _, err := os.Stat(packed); err != nil {
		say(t, exec.Command(program, "--variant=minbase", "bookworm", d.root))
		say(t, exec.Command("tar", "--create", "--file", packed+".part", "--exclude=./var/cache/apt/archives/*.deb", "--directory", d.root, "."))
		must(t, os.Rename(packed+".part", packed))
		return d
	}
	say(t, exec.Command("tar", "--extract", "--file", packed, "--directory", d.root))
	return d
}

// say runs a command and returns what it says.
func say(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// run runs a command inside, as root.
func (d debian) run(t testing.TB, args ...string) string {
	t.Helper()
	return say(t, exec.Command("chroot", append([]string{d.root}, args...)...))
}

// install brings a package in, whose dependencies are in the smallest Debian already.
func (d debian) install(t testing.TB, deb string) {
	t.Helper()
	say(t, exec.Command("cp", deb, filepath.Join(d.root, "tmp/munadi.deb")))
	d.run(t, "dpkg", "--force-confdef", "--install", "/tmp/munadi.deb")
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

// packages builds the packages of that version and returns the one whose name ends so.
func packages(t testing.TB, version, arch, end string) string {
	t.Helper()
	dist := t.TempDir()
	cmd := exec.Command("packaging/package", arch)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "VERSION="+version, "DIST="+dist)
	say(t, cmd)
	found, err := filepath.Glob(filepath.Join(dist, "*"+end))
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("%s: %v", end, found)
	}
	return found[0]
}

// TestNothingIsLeftOut: what an operator is told to use beside the program is in the packages.
func TestNothingIsLeftOut(t *testing.T) {
	t.Parallel()
	listed := string(read(t, "packaging/nfpm.yaml"))
	for _, folder := range []string{"grafana", "examples", "systemd"} {
		files, err := os.ReadDir(projectPath(t, "packaging/"+folder))
		must(t, err)
		for _, f := range files {
			if src := "src: packaging/" + folder + "/" + f.Name() + ","; !strings.Contains(listed, src) {
				t.Errorf("%s/%s is not in the packages", folder, f.Name())
			}
		}
	}
}

// TestSecretsHaveTheirFile: whatever only the environment brings has its line in the packages' file of secrets.
func TestSecretsHaveTheirFile(t *testing.T) {
	t.Parallel()
	_, secrets, _ := strings.Cut(munadi(t, nil, "serve", "--help").stdout, "Environment only (secrets):\n")
	shipped := string(read(t, "packaging/systemd/munadi.environment"))
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

// TestArm64: the program that was compiled here for another processor hears there, as far as qemu is one.
func TestArm64(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("builds the packages for arm64: MUNADI_LONG=1 runs it")
	}
	const libraries = "/usr/aarch64-linux-gnu" // Debian's cross compiler brings them
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if _, missing := os.Stat(libraries + "/lib/libstdc++.so.6"); err != nil || missing != nil {
		t.Skip("no qemu-user-static, or no C and C++ libraries for arm64")
	}
	tarball, folder := packages(t, "1.0.0", "arm64", "_arm64.tar.gz"), t.TempDir()
	say(t, exec.Command("tar", "--extract", "--file", tarball, "--directory", folder, "--strip-components=1"))
	program := func(args ...string) string {
		cmd := exec.Command(qemu, append([]string{"-L", libraries, folder + "/munadi"}, args...)...)
		cmd.Env = append(os.Environ(), "MUNADI_DATA="+t.TempDir())
		return say(t, cmd)
	}
	if version := program("version"); !strings.Contains(version, "1.0.0") || !strings.Contains(version, "linux/arm64") {
		t.Errorf("version: %s", version)
	}
	if heard := program("transcribe", projectPath(t, "assets/web/samples/confirm.flac")); !strings.Contains(heard, "الموعد") {
		t.Errorf("heard %s", heard)
	}
}

// TestDebianPackage: installed into a bare Debian it runs as its own user and hears; an upgrade keeps data and changed
// settings; its removal keeps data too, its purge nothing.
func TestDebianPackage(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("builds the packages twice and fetches a small Debian: MUNADI_LONG=1 runs it")
	}
	d := newDebian(t)
	first, second := packages(t, "1.0.0", "amd64", "_amd64.deb"), packages(t, "1.1.0", "amd64", "_amd64.deb")

	d.install(t, first)
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
	a := d.serve(t)
	a.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, 200)

	settingsFile := filepath.Join(d.root, "etc/munadi/munadi.yaml")
	text, err := os.ReadFile(settingsFile)
	must(t, err)
	must(t, os.WriteFile(settingsFile, append(text, "# ours\n"...), 0o640))
	d.install(t, second) // while it runs
	a.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, 200)
	a.stop(t)
	if version := d.run(t, "/usr/bin/munadi", "version"); !strings.Contains(version, "1.1.0") {
		t.Errorf("after the upgrade: %s", version)
	}
	if text, err = os.ReadFile(settingsFile); err != nil || !strings.HasSuffix(string(text), "# ours\n") {
		t.Errorf("the upgrade did not keep the changed settings: %v", err)
	}
	b := d.serve(t) // its first key is still good
	b.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, 200)
	b.stop(t)

	d.run(t, "dpkg", "--remove", "munadi")
	if d.there("usr/bin/munadi") || !d.there("var/lib/munadi/db") || !d.there("etc/munadi/munadi.yaml") {
		t.Error("after the removal: the program is there, or data or settings are not")
	}
	d.run(t, "dpkg", "--purge", "munadi")
	for _, path := range []string{"var/lib/munadi", "var/cache/munadi", "etc/munadi"} {
		if d.there(path) {
			t.Errorf("after the purge: %s", path)
		}
	}
	if passwd, err := os.ReadFile(filepath.Join(d.root, "etc/passwd")); err != nil || strings.Contains(string(passwd), "munadi") {
		t.Errorf("after the purge the user is there: %v", err)
	}
}

// TestManPage: the man page holds every command with what is its own to choose, and man finds nothing wrong with it.
func TestManPage(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("man")
	if err != nil {
		t.Skip("no man on this machine")
	}
	source := read(t, "packaging/man/munadi.1.in")
	fill := exec.Command(projectPath(t, "packaging/man/fill"), binary(t), "1.2.3", "2026-01-01")
	fill.Stdin = bytes.NewReader(source)
	page, err := fill.Output()
	must(t, err)
	path := filepath.Join(t.TempDir(), "munadi.1")
	must(t, os.WriteFile(path, page, 0o600))
	cmd := exec.Command(program, "--warnings", "--local-file", path)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANWIDTH=100", "MAN_KEEP_FORMATTING=")
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	must(t, err)
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
