package sip_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"munadi/appliance/speech/bundle"
	"munadi/assets/prompts"
	"munadi/engine/audio"
)

// patience is how long anything may take that takes a moment on an idle machine.
const patience = 30 * time.Second

// stranger is the other side of a trunk: SIPp with a scenario, at an address of its own.
type stranger struct {
	at  netip.AddrPort
	tcp bool

	dir    string // of the scenario, the sound and the logs
	cmd    *exec.Cmd
	screen bytes.Buffer
	exited chan struct{}
}

// addresses counts those of 127/8 that this process has used. Each stranger has one to itself, so that neither the
// ports of signalling nor those of sound are ever taken.
var addresses atomic.Uint32

func ownAddress() netip.Addr {
	pid, n := uint32(os.Getpid()), addresses.Add(1)
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], 127<<24|(1+pid%250)<<16|(n/200)<<8|(1+n%200))
	return netip.AddrFrom4(b)
}

// sipp plays a scenario over UDP until the test ends. What then is still up, and every call that SIPp counts as failed, fails
// the test.
func sipp(t *testing.T, scenario string) *stranger { return sippOver(t, scenario, "u1") }

// sippOver does so over UDP (u1) or TCP (t1).
func sippOver(t *testing.T, scenario, transport string) *stranger {
	t.Helper()
	return sippAt(t, scenario, transport)
}

// sippAt does so with further arguments: an address makes it a client.
func sippAt(t *testing.T, scenario, transport string, more ...string) *stranger {
	t.Helper()
	installed(t, "sipp", "sip-tester")
	s := &stranger{dir: t.TempDir(), tcp: strings.HasPrefix(transport, "t")}
	write(t, filepath.Join(s.dir, "scenario.xml"), []byte(scenario))
	write(t, filepath.Join(s.dir, "talk.al"), aLaw(speech(t)))
	for range 5 {
		if s.start(t, transport, more) == nil {
			t.Cleanup(func() { s.end(t) })
			return s
		}
	}
	t.Fatalf("SIPp does not listen: %s%s", s.screen.String(), s.log("errors"))
	return nil
}

// start returns when SIPp listens, or has ended: its address is another process's, or the scenario is wrong.
func (s *stranger) start(t *testing.T, transport string, more []string) error {
	s.at = netip.AddrPortFrom(ownAddress(), 5060)
	s.exited = make(chan struct{})
	s.screen.Reset()
	ip := s.at.Addr().String()
	s.cmd = exec.Command("sipp", append(slices.Clone(more), "-sf", "scenario.xml", "-t", transport, "-i", ip, "-mi", ip, "-ci", ip, "-bind_local",
		"-p", "5060", "-nostdin", "-skip_rlimit",
		"-trace_err", "-error_file", "errors", "-trace_msg", "-message_file", "messages", "-trace_stat", "-stf", "statistics",
		// A busy machine is no fault of the call: SIPp ends itself when it was held up too often.
		"-watchdog_minor_threshold", "600000", "-watchdog_major_threshold", "600000")...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = s.dir, &s.screen, &s.screen
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.exited)
		_ = s.cmd.Wait() // read by end
	}()
	if len(more) > 0 {
		return nil // a client, which may have ended already
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return until(ctx, s.exited, s.listens)
}

// until asks again and again, until the answer is yes, ended is closed or ctx ends.
func until(ctx context.Context, ended <-chan struct{}, ask func() bool) error {
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

func (s *stranger) listens() bool {
	if s.tcp {
		return listens("tcp", s.at)
	}
	return listens("udp", s.at)
}

// listens looks a socket up in the kernel's table (proc(5), /proc/net/tcp): asking by a message would count as a call.
func listens(network string, at netip.AddrPort) bool {
	sockets, err := os.ReadFile("/proc/net/" + network)
	a := at.Addr().As4()
	return err == nil && strings.Contains(string(sockets),
		fmt.Sprintf(": %08X:%04X 00000000:0000", binary.NativeEndian.Uint32(a[:]), at.Port()))
}

// end lets calls that are up end, and holds SIPp to what it counted.
func (s *stranger) end(t *testing.T) {
	_ = s.cmd.Process.Signal(syscall.SIGUSR1) // if it is gone meanwhile, as well
	select {
	case <-s.exited:
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		<-s.exited
		t.Error("a call is still up at SIPp")
	}
	for _, failed := range s.failures(t) {
		t.Errorf("SIPp counts %s: %s", failed, s.log("errors"))
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 && code != 99 && !t.Failed() { // 99: no call was made
		t.Errorf("SIPp ended with exit code %d: %s", code, s.log("errors"))
	}
	if t.Failed() {
		t.Logf("what SIPp saw:\n%s", s.log("messages"))
	}
}

// failures are what SIPp counted as such in the end, by kind.
func (s *stranger) failures(t *testing.T) (out []string) {
	r := csv.NewReader(strings.NewReader(s.log("statistics")))
	r.Comma, r.FieldsPerRecord = ';', -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 2 || !slices.Contains(rows[0], "FailedCall(C)") {
		t.Errorf("SIPp's statistics: %d rows, %v", len(rows), err)
		return nil
	}
	for i, name := range rows[0] {
		if n := rows[len(rows)-1][i]; strings.HasPrefix(name, "Failed") && strings.HasSuffix(name, "(C)") && n != "0" {
			out = append(out, name+" = "+n)
		}
	}
	return out
}

// log is one of SIPp's files; empty where it wrote none.
func (s *stranger) log(name string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// trunk is the address as a setting.
func (s *stranger) trunk() string {
	if s.tcp {
		return "sip:" + s.at.String() + ";transport=tcp"
	}
	return "sip:" + s.at.String()
}

// nobody is the address of a trunk that is not there: bound, so that nobody else comes, and silent.
func nobody(t *testing.T) string {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return "sip:" + socket.LocalAddr().String()
}

// installed skips the test where a program is missing; under CI=true it fails.
func installed(t testing.TB, program, debian string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	reason := fmt.Sprintf("no %s (Debian: %s)", program, debian)
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// speech is somebody who says yes, and a second of silence.
func speech(t testing.TB) []int16 {
	t.Helper()
	b, err := bundle.Open(prompts.Index(), prompts.Voice())
	if err != nil {
		t.Fatal(err)
	}
	clip, ok := b.Clip("callee.yes")
	if !ok {
		t.Fatal("nobody says yes")
	}
	return append(b.PCM(clip), make([]int16, bundle.Rate)...)
}

// aLaw is sound in whole packets of 20 ms, as SIPp plays it.
func aLaw(pcm []int16) []byte {
	out := make([]byte, (len(pcm)+159)/160*160)
	for i := range out {
		out[i] = audio.EncodeALaw(0)
		if i < len(pcm) {
			out[i] = audio.EncodeALaw(pcm[i])
		}
	}
	return out
}
