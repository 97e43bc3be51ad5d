package sipptest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Patience is the generous timeout for anything that takes a moment on an idle machine.
const Patience = 3 * time.Minute

// attempts is how often a program is restarted that fails to start: its port may have been taken meanwhile.
const attempts = 5

// TestProgram is an external program that runs beside a test.
type TestProgram struct {
	cmd    *exec.Cmd
	input  io.Writer // of a program that reads commands; nil: it reads none
	screen LockedText
	exited chan struct{}
}

// RequireProgram skips the test if a program is missing.
func RequireProgram(t testing.TB, program, debian string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short starts no SIP software")
	}
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	reason := fmt.Sprintf("no %s (Debian: %s)", program, debian)
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// ServeProgram starts a program, repeatedly if that fails, until it serves. It must be stopped by
// [TestProgram.StopProgram].
func ServeProgram(t testing.TB, start func() *TestProgram, serves func(context.Context) bool) *TestProgram {
	t.Helper()
	for range attempts {
		p := start()
		err := p.awaitServing(t, serves)
		if err == nil {
			return p
		}
		p.killGroup()
		<-p.exited
		t.Logf("%s does not serve (%v):\n%s", p.cmd.Path, err, p.Output())
	}
	t.Fatalf("nothing serves after %d attempts", attempts)
	return nil
}

// StartProgram starts a program in a folder.
func StartProgram(t testing.TB, dir, name string, args ...string) *TestProgram {
	t.Helper()
	return newProgram(dir, name, args...).start(t)
}

// StartConsole starts a program that reads commands (see [TestProgram.EnterCommand]) in a folder, its home.
func StartConsole(t testing.TB, dir, name string, args ...string) *TestProgram {
	t.Helper()
	p := newProgram(dir, name, args...)
	p.cmd.Env = append(os.Environ(), "HOME="+dir)
	var err error
	if p.input, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return p.start(t)
}

// EnterCommand types a line. A program that has ended reads none.
func (p *TestProgram) EnterCommand(line string) { _, _ = io.WriteString(p.input, line+"\n") }

func newProgram(dir, name string, args ...string) *TestProgram {
	p := &TestProgram{cmd: exec.Command(name, args...), exited: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, &p.screen, &p.screen
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its children can be killed with it
	return p
}

func (p *TestProgram) start(t testing.TB) *TestProgram {
	t.Helper()
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.exited)
		_ = p.cmd.Wait() // its state is read at the end
	}()
	return p
}

func (p *TestProgram) awaitServing(t testing.TB, serves func(context.Context) bool) error {
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	return PollUntil(ctx, p.exited, func() bool { return serves(ctx) })
}

// StopProgram terminates the program, by force after [Patience]; false in that case.
func (p *TestProgram) StopProgram(signal os.Signal) bool {
	_ = p.cmd.Process.Signal(signal) // it may have exited already
	select {
	case <-p.exited:
		return true
	case <-time.After(Patience):
		p.killGroup()
		<-p.exited
		return false
	}
}

// killGroup kills the program and its children, which hold its output open.
func (p *TestProgram) killGroup() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// ExitedChan returns a channel that is closed when the program has exited.
func (p *TestProgram) ExitedChan() <-chan struct{} { return p.exited }

// Output returns what the program has put out until now.
func (p *TestProgram) Output() string { return p.screen.String() }

// LockedText is what a program or a log writes, which is read while it is written.
type LockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements [io.Writer].
func (l *LockedText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *LockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// IsListening checks for a socket in the kernel's table (proc(5), /proc/net/tcp), because a probe message would count
// as a call.
func IsListening(network string, at netip.AddrPort) bool {
	sockets, err := os.ReadFile("/proc/net/" + network)
	a := at.Addr().As4()
	return err == nil && strings.Contains(string(sockets),
		fmt.Sprintf(": %08X:%04X 00000000:0000", binary.NativeEndian.Uint32(a[:]), at.Port()))
}

// PollUntil polls ask until it returns true, ended is closed or ctx ends.
func PollUntil(ctx context.Context, ended <-chan struct{}, ask func() bool) error {
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !ask() {
		select {
		case <-again.C:
		case <-ended:
			return errors.New("it ended")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
