// Package sipptest runs SIPp as the remote side of a SIP trunk, and other external programs, beside a test. SIPp comes
// from Debian (sip-tester); if a program is missing a test is skipped with a message, and fails under CI=true.
//
// Scenarios and audio are supplied by the tests.
package sipptest

import (
	"context"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"munadi/engine/audio"
)

// ScenarioSettings configures a scenario.
type ScenarioSettings struct {
	Scenario string         // SIPp XML
	Sound    []int16        // audio of talk.al in the scenario: 8000 samples per second
	TCP      bool           // instead of UDP
	Echo     bool           // what it hears is sent back, in a call in which it plays nothing
	At       netip.AddrPort // address of a peer that has ended; zero: one of its own
	Calls    netip.AddrPort // address that SIPp calls once; zero: it waits for a call
}

// SIPpPeer is a running SIPp with its own address.
type SIPpPeer struct {
	*TestProgram
	At netip.AddrPort // signalling address

	settings ScenarioSettings
	dir      string // with the scenario, the audio and the logs
	ended    sync.Once
}

// PlayScenario runs a scenario until the test ends. Calls that are still active then, and calls that SIPp counts as
// failed, fail the test.
func PlayScenario(t testing.TB, s ScenarioSettings) *SIPpPeer {
	t.Helper()
	RequireProgram(t, "sipp", "sip-tester")
	p := &SIPpPeer{settings: s, dir: t.TempDir()}
	for name, content := range map[string][]byte{"scenario.xml": []byte(s.Scenario), "talk.al": aLaw(s.Sound)} {
		if err := os.WriteFile(filepath.Join(p.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.TestProgram = ServeProgram(t, func() *TestProgram {
		if p.At = s.At; !p.At.IsValid() {
			p.At = netip.AddrPortFrom(OwnAddress(), 5060)
		}
		return StartProgram(t, p.dir, "sipp", p.commandArguments()...)
	}, p.isServing)
	t.Cleanup(func() { p.EndCalls(t) })
	return p
}

// subnet is a random 127.x.y.0/24 of this process, none of 127.0/16; addresses counts the used addresses from there on.
var (
	subnet    = 127<<16 + 1<<8 + rand.Uint32N(250<<8)
	addresses atomic.Uint32
)

// OwnAddress returns an address in 127/8 for one program alone: a port that is free on an address which others use may
// be taken by the time the program binds it.
func OwnAddress() netip.Addr {
	n := addresses.Add(1)
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], (subnet+n/200)<<8+1+n%200)
	return netip.AddrFrom4(b)
}

// isServing reports whether SIPp listens; true for one that calls, which may have finished already.
func (p *SIPpPeer) isServing(context.Context) bool {
	return p.settings.Calls.IsValid() || IsListening(p.networkName(), p.At)
}

func (p *SIPpPeer) networkName() string {
	if p.settings.TCP {
		return "tcp"
	}
	return "udp"
}

func (p *SIPpPeer) commandArguments() []string {
	ip, transport := p.At.Addr().String(), p.networkName()[:1]+"1" // one socket for all calls
	all := []string{
		"-sf", "scenario.xml", "-t", transport, "-i", ip, "-mi", ip, "-ci", ip, "-bind_local", "-p", fmt.Sprint(p.At.Port()),
		"-nostdin", "-skip_rlimit", "-trace_err", "-error_file", "errors", "-trace_msg", "-message_file", "messages",
		"-trace_stat", "-stf", "statistics",
		"-timeout", "900", // seconds: SIPp ends when its test has crashed
		// SIPp aborts when it is delayed too often; on a busy machine that is no failure of the call.
		"-watchdog_minor_threshold", "600000", "-watchdog_major_threshold", "600000",
	}
	if p.settings.Echo {
		all = append(all, "-rtp_echo")
	}
	if p.settings.Calls.IsValid() {
		all = append([]string{p.settings.Calls.String(), "-m", "1"}, all...)
	}
	return all
}

// EndCalls waits for active calls and fails the test on SIPp's failure counts. It happens once, when the test ends at
// the latest. A proxy on the way of the calls must run until then: it still carries the response to the last BYE.
func (p *SIPpPeer) EndCalls(t testing.TB) {
	t.Helper()
	p.ended.Do(func() { p.awaitCalls(t) })
}

func (p *SIPpPeer) awaitCalls(t testing.TB) {
	t.Helper()
	if !p.StopProgram(syscall.SIGUSR1) {
		t.Error("a call is still up at SIPp")
	}
	for _, failed := range p.countFailures(t) {
		t.Errorf("SIPp counts %s: %s", failed, p.ReadLog("errors"))
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 && code != 99 && !t.Failed() { // 99: no call was made
		t.Errorf("SIPp ended with exit code %d: %s", code, p.ReadLog("errors"))
	}
	if t.Failed() {
		t.Logf("what SIPp saw:\n%s", p.ReadLog("messages"))
	}
}

// countFailures returns SIPp's failure counts by kind.
func (p *SIPpPeer) countFailures(t testing.TB) (out []string) {
	r := csv.NewReader(strings.NewReader(p.ReadLog("statistics")))
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

// ReadLog returns one of SIPp's files: errors, messages, statistics; empty without one.
func (p *SIPpPeer) ReadLog(name string) string {
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// TrunkAddress returns the address as a trunk setting.
func (p *SIPpPeer) TrunkAddress() string {
	if p.settings.TCP {
		return "sip:" + p.At.String() + ";transport=tcp"
	}
	return "sip:" + p.At.String()
}

// aLaw returns audio in G.711 A-law, padded to whole packets of 20 ms, as SIPp plays it.
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
