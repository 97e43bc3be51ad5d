package whole_test

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fakeManager is a fake systemd that records notifications (sd_notify).
type fakeManager struct {
	path   string
	socket *net.UnixConn
}

func newManager(t testing.TB, path string) *fakeManager {
	t.Helper()
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	mustSucceed(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	mustSucceed(t, os.Chmod(path, 0o777))
	return &fakeManager{path, socket}
}

// awaitState returns when the service has sent that state, with all it sent before.
func (m *fakeManager) awaitState(t testing.TB, state string) (before []string) {
	t.Helper()
	mustSucceed(t, m.socket.SetReadDeadline(time.Now().Add(patience)))
	var message [4096]byte
	for {
		n, err := m.socket.Read(message[:])
		if err != nil {
			t.Fatalf("never told %s, but %q: %v", state, before, err)
		}
		told := string(message[:n])
		if first, _, _ := strings.Cut(told, "\n"); first == state {
			return before
		}
		before = append(before, told)
	}
}

// TestServiceManager checks that systemd is notified when the appliance is ready, alive and stopping.
func TestServiceManager(t *testing.T) {
	t.Parallel()
	m := newManager(t, filepath.Join(t.TempDir(), "notify"))
	a, err := launchProcess(builtBinary(t), instanceSettings{data: t.TempDir(), env: []string{"NOTIFY_SOCKET=" + m.path, "WATCHDOG_USEC=2000000"}})
	mustSucceed(t, err)
	if before := m.awaitState(t, "READY=1"); len(before) > 0 {
		t.Errorf("told before it was ready: %q", before)
	}
	if status, _ := a.probePath(t.Context(), "/readyz"); status != 200 {
		t.Errorf("/readyz after READY=1: %d", status)
	}
	for range 3 {
		m.awaitState(t, "WATCHDOG=1")
	}
	a.sendSignal(t, syscall.SIGTERM)
	m.awaitState(t, "STOPPING=1")
	a.awaitExit(t)
	mustSucceed(t, a.endInstance())
}

// unit is the systemd unit.
const unit = project + "/packaging/systemd/munadi.service"

// TestUnitExposure checks the unit's exposure level by systemd-analyze security.
func TestUnitExposure(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze on this machine")
	}
	out, err := exec.Command(program, "--offline=true", "--no-pager", "security", unit).CombinedOutput()
	mustSucceed(t, err)
	found := regexp.MustCompile(`exposure level for munadi.service: ([0-9.]+)`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("no exposure in\n%s", out)
	}
	level, err := strconv.ParseFloat(string(found[1]), 64)
	mustSucceed(t, err)
	if t.Logf("exposure %.1f", level); level > 2.0 {
		t.Errorf("exposure %.1f is more than 2.0:\n%s", level, out)
	}
}

// TestUnitOutweighsOthers checks that calls get processor time on a busy machine: more than a service's usual weight, 100.
func TestUnitOutweighsOthers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(unit)
	mustSucceed(t, err)
	found := regexp.MustCompile(`(?m)^CPUWeight=(\d+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the unit sets no CPUWeight")
	}
	if weight, err := strconv.Atoi(string(found[1])); err != nil || weight <= 100 {
		t.Errorf("its CPUWeight is %s", found[1])
	}
}

// TestUnitIsExplained checks that each hardening line of the unit has a comment above it or its neighbours.
func TestUnitIsExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(unit)
	mustSucceed(t, err)
	explained := false
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"):
			explained = true
		case line == "" || strings.HasPrefix(line, "["):
			explained = false
		case !explained && !strings.HasPrefix(line, "Description=") && !strings.HasPrefix(line, "WantedBy="):
			t.Errorf("not explained: %s", line)
		}
	}
	for _, want := range []string{"Type=notify", "DeviceAllow=char-alsa rw", "SupplementaryGroups=audio", "StateDirectoryMode=0700"} {
		if !strings.Contains(string(text), "\n"+want+"\n") {
			t.Errorf("the unit lacks %s", want)
		}
	}
}

// TestUnitLetsTelephonesIn checks that the unit permits listening on any UDP and TCP port of a trunk.
func TestUnitLetsTelephonesIn(t *testing.T) {
	t.Parallel()
	text := string(readProjectFile(t, "packaging/systemd/munadi.service"))
	if bound := regexp.MustCompile(`(?m)^(SocketBind|IPAddress|IPIngress|PrivateNetwork|RestrictNetworkInterfaces).*`).FindString(text); bound != "" {
		t.Errorf("the unit keeps calls out: %s", bound)
	}
	families := regexp.MustCompile(`(?m)^RestrictAddressFamilies=(.*)$`).FindStringSubmatch(text)
	if families == nil || !slices.Contains(strings.Fields(families[1]), "AF_INET") || !slices.Contains(strings.Fields(families[1]), "AF_INET6") {
		t.Errorf("address families: %q", families)
	}
}

// guardedProgram is the environment variable with the program that TestGuarded executes.
const guardedProgram = "WHOLE_GUARDED_PROGRAM"

// TestNoExecutableMemory checks that ONNX Runtime, the decoders and ffmpeg work under MemoryDenyWriteExecute=yes.
func TestNoExecutableMemory(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("the filter is written for amd64")
	}
	self, err := os.Executable()
	mustSucceed(t, err)
	script := filepath.Join(t.TempDir(), "munadi")
	mustSucceed(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\n%s=%s exec %s -test.run '^TestGuarded$' -- \"$@\"\n",
		guardedProgram, builtBinary(t), self), 0o700))
	a, err := launchProcess(script, instanceSettings{data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	mustSucceed(t, a.awaitReady())
	a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 200)
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200)
	a.stopGracefully(t)
	mustSucceed(t, a.endInstance())
}

// TestGuarded is not a test: it executes the program for TestNoExecutableMemory.
func TestGuarded(t *testing.T) {
	program := os.Getenv(guardedProgram)
	if program == "" {
		t.Skip("only a step of TestNoExecutableMemory")
	}
	mustSucceed(t, os.RemoveAll(scratch))
	mustSucceed(t, denyWriteExecute())
	const all = unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC
	if _, err := unix.Mmap(-1, 0, os.Getpagesize(), all, unix.MAP_ANON|unix.MAP_PRIVATE); !errors.Is(err, unix.EPERM) {
		t.Fatalf("the filter lets executable memory through: %v", err)
	}
	mustSucceed(t, syscall.Exec(program, append([]string{program}, flag.Args()...), os.Environ()))
}

// denyWriteExecute installs the seccomp filter of MemoryDenyWriteExecute= for this thread and what it executes: no mmap
// that is writable and executable, no mprotect to executable.
func denyWriteExecute() error {
	runtime.LockOSThread()
	const (
		number, arch, thirdArg = 0, 4, 32 // offsets in struct seccomp_data
		load, equal, bits      = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		give, and              = unix.BPF_RET | unix.BPF_K, unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
		allow, refuse          = 0x7fff0000, 0x00050000 | uint32(unix.EPERM) // SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO
	)
	filter := []unix.SockFilter{
		{Code: load, K: arch},
		{Code: equal, K: unix.AUDIT_ARCH_X86_64, Jf: 9},
		{Code: load, K: number},
		{Code: equal, K: unix.SYS_MPROTECT, Jt: 5},
		{Code: equal, K: unix.SYS_PKEY_MPROTECT, Jt: 4},
		{Code: equal, K: unix.SYS_MMAP, Jf: 5},
		{Code: load, K: thirdArg},
		{Code: and, K: unix.PROT_WRITE | unix.PROT_EXEC},
		{Code: equal, K: unix.PROT_WRITE | unix.PROT_EXEC, Jt: 3, Jf: 2},
		{Code: load, K: thirdArg},
		{Code: bits, K: unix.PROT_EXEC, Jt: 1},
		{Code: give, K: allow},
		{Code: give, K: refuse},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return errors.Join(
		unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
		unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0),
	)
}
