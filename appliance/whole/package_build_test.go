package whole_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// dists holds the built packages by version and architecture, each in a folder.
var dists struct {
	sync.Mutex // serializes builds, which take much memory
	made       map[string]bool
}

// buildPackages builds the packages of a version once, and returns the one with this suffix.
func buildPackages(t testing.TB, version, arch, end string) string {
	t.Helper()
	dist := filepath.Join(scratch, "dist-"+version+"-"+arch)
	dists.Lock()
	defer dists.Unlock()
	if !dists.made[dist] {
		cmd := exec.Command("packaging/package", arch)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "VERSION="+version, "DIST="+dist)
		commandOutput(t, cmd)
		if dists.made == nil {
			dists.made = map[string]bool{}
		}
		dists.made[dist] = true
	}
	found, err := filepath.Glob(filepath.Join(dist, "*"+end))
	mustSucceed(t, err)
	if len(found) != 1 {
		t.Fatalf("%s: %v", end, found)
	}
	return found[0]
}

// commandOutput runs a command and returns its output.
func commandOutput(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// checkReleased checks that a program is built like a release: hardened, and for the C library version in the README.
func checkReleased(t testing.TB, path string) {
	t.Helper()
	program, err := elf.Open(path)
	mustSucceed(t, err)
	defer func() { _ = program.Close() }()
	const wanted = uint64(elf.DF_1_PIE | elf.DF_1_NOW)
	flags, err := program.DynValue(elf.DT_FLAGS_1)
	if err != nil || len(flags) != 1 || flags[0]&wanted != wanted {
		t.Errorf("not position-independent, or relocated while it runs: %v, %v", flags, err)
	}
	segment := func(kind elf.ProgType) int {
		return slices.IndexFunc(program.Progs, func(p *elf.Prog) bool { return p.Type == kind })
	}
	if segment(elf.PT_GNU_RELRO) < 0 {
		t.Error("relocated tables stay writable")
	}
	if at := segment(elf.PT_GNU_STACK); at < 0 || program.Progs[at].Flags&elf.PF_X != 0 {
		t.Error("the stack is executable")
	}
	symbols, err := program.ImportedSymbols()
	mustSucceed(t, err)
	for _, s := range symbols {
		var major, minor int
		if _, err := fmt.Sscanf(s.Version, "GLIBC_%d.%d", &major, &minor); err == nil && (major > 2 || minor > 34) {
			t.Errorf("%s wants %s", s.Name, s.Version)
		}
	}
}

// TestArm64 checks under qemu that the cross-compiled arm64 program transcribes.
func TestArm64(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("builds the packages for arm64: MUNADI_LONG=1 runs it")
	}
	const libraries = "/usr/aarch64-linux-gnu" // part of Debian's cross compiler
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if _, missing := os.Stat(libraries + "/lib/libstdc++.so.6"); err != nil || missing != nil {
		t.Skip("no qemu-user-static, or no C and C++ libraries for arm64")
	}
	tarball, folder := buildPackages(t, "1.0.0", "arm64", "_arm64.tar.gz"), t.TempDir()
	commandOutput(t, exec.Command("tar", "--extract", "--file", tarball, "--directory", folder, "--strip-components=1"))
	checkReleased(t, filepath.Join(folder, "munadi"))
	program := func(args ...string) string {
		cmd := exec.Command(qemu, append([]string{"-L", libraries, folder + "/munadi"}, args...)...)
		cmd.Env = append(os.Environ(), "MUNADI_DATA="+t.TempDir())
		return commandOutput(t, cmd)
	}
	if version := program("version"); !strings.Contains(version, "1.0.0") || !strings.Contains(version, "linux/arm64") {
		t.Errorf("version: %s", version)
	}
	if heard := program("transcribe", projectPath(t, "assets/web/samples/confirm.flac")); !strings.Contains(heard, "الموعد") {
		t.Errorf("heard %s", heard)
	}
}
