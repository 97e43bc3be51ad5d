// Package sipptest has SIPp, a stranger's test tool, play the other side of a SIP trunk, and runs other strangers'
// programs beside a test. SIPp comes from Debian (sip-tester); where a program is missing a test is skipped with a
// message, and fails under CI=true.
//
// It knows SIPp and Linux, and nothing of what it tests: scenarios and sound are handed in.
package sipptest

import (
	"context"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"munadi/engine/audio"
)

// Settings say what is played.
type Settings struct {
	Scenario string         // in SIPp's XML
	Sound    []int16        // what a scenario finds as talk.al: 8000 samples a second
	TCP      bool           // instead of UDP
	Calls    netip.AddrPort // whom it calls, once; zero: it waits to be called
}

// Peer is a running SIPp, at an address of its own.
type Peer struct {
	*Program
	At netip.AddrPort // of its signalling

	settings Settings
	dir      string // of the scenario, the sound and the logs
}

// Play plays a scenario until the test ends. What then is still up, and every call that SIPp counts as failed, fails
// the test.
func Play(t testing.TB, s Settings) *Peer {
	t.Helper()
	Installed(t, "sipp", "sip-tester")
	p := &Peer{settings: s, dir: t.TempDir()}
	for name, content := range map[string][]byte{"scenario.xml": []byte(s.Scenario), "talk.al": aLaw(s.Sound)} {
		if err := os.WriteFile(filepath.Join(p.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.Program = Serve(t, func() *Program {
		p.At = netip.AddrPortFrom(ownAddress(), 5060)
		return Start(t, p.dir, "sipp", p.arguments()...)
	}, p.serves)
	t.Cleanup(func() { p.end(t) })
	return p
}

// addresses counts those of 127/8 that this process has used. Each peer has one to itself, so that neither the ports of
// signalling nor those of sound are ever taken.
var addresses atomic.Uint32

func ownAddress() netip.Addr {
	pid, n := uint32(os.Getpid()), addresses.Add(1)
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], 127<<24|(1+pid%250)<<16|(n/200)<<8|(1+n%200))
	return netip.AddrFrom4(b)
}

// serves says whether SIPp listens; one that calls may be over already.
func (p *Peer) serves(context.Context) bool {
	return p.settings.Calls.IsValid() || Listens(p.network(), p.At)
}

func (p *Peer) network() string {
	if p.settings.TCP {
		return "tcp"
	}
	return "udp"
}

func (p *Peer) arguments() []string {
	ip, transport := p.At.Addr().String(), p.network()[:1]+"1" // one socket for all calls
	all := []string{
		"-sf", "scenario.xml", "-t", transport, "-i", ip, "-mi", ip, "-ci", ip, "-bind_local", "-p", fmt.Sprint(p.At.Port()),
		"-nostdin", "-skip_rlimit", "-trace_err", "-error_file", "errors", "-trace_msg", "-message_file", "messages",
		"-trace_stat", "-stf", "statistics",
		"-timeout", "900", // s: a test that dies takes nobody along
		// A busy machine is no fault of the call: SIPp ends itself when it was held up too often.
		"-watchdog_minor_threshold", "600000", "-watchdog_major_threshold", "600000",
	}
	if p.settings.Calls.IsValid() {
		all = append([]string{p.settings.Calls.String(), "-m", "1"}, all...)
	}
	return all
}

// end lets calls that are up end, and holds SIPp to what it counted.
func (p *Peer) end(t testing.TB) {
	if !p.Stop(syscall.SIGUSR1) {
		t.Error("a call is still up at SIPp")
	}
	for _, failed := range p.failures(t) {
		t.Errorf("SIPp counts %s: %s", failed, p.Log("errors"))
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 && code != 99 && !t.Failed() { // 99: no call was made
		t.Errorf("SIPp ended with exit code %d: %s", code, p.Log("errors"))
	}
	if t.Failed() {
		t.Logf("what SIPp saw:\n%s", p.Log("messages"))
	}
}

// failures are what SIPp counted as such in the end, by kind.
func (p *Peer) failures(t testing.TB) (out []string) {
	r := csv.NewReader(strings.NewReader(p.Log("statistics")))
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

// Log is one of SIPp's files: errors, messages, statistics; empty where it wrote none.
func (p *Peer) Log(name string) string {
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// Trunk is the address as a setting.
func (p *Peer) Trunk() string {
	if p.settings.TCP {
		return "sip:" + p.At.String() + ";transport=tcp"
	}
	return "sip:" + p.At.String()
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
