package sip_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/engine/audio"
)

// linphonePhone is a running Linphone that answers at once and plays a tone of 600 Hz. What it hears is heard.wav in dir.
type linphonePhone struct {
	*sipptest.TestProgram
	at  netip.AddrPort
	dir string
}

// linphoneSettings are Linphone's: UDP alone, at a port, with keys by RFC 4733. It must not look for a network beyond
// this machine, without which it would not listen.
const linphoneSettings = `[sip]
bind_address=127.0.0.1
sip_port=%d
sip_tcp_port=0
sip_tls_port=0
auto_net_state_mon=0
guess_hostname=0
contact=sip:trunk@127.0.0.1
use_ipv6=0
use_rfc2833=1
register_only_when_network_is_up=0
[rtp]
audio_rtp_port=40000-49998
[sound]
echocancellation=0
`

// startLinphone runs Linphone, with more settings, until the test ends.
func startLinphone(t *testing.T, more ...string) *linphonePhone {
	t.Helper()
	sipptest.RequireProgram(t, "linphonec", "linphone-cli")
	p := &linphonePhone{}
	p.TestProgram = sipptest.ServeProgram(t, func() *sipptest.TestProgram {
		p.at, p.dir = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), freePort(t)), t.TempDir()
		if err := os.MkdirAll(filepath.Join(p.dir, ".local/share/linphone"), 0o700); err != nil { // without it nothing serves
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(p.dir, "rc"), []byte(fmt.Sprintf(linphoneSettings, p.at.Port())+strings.Join(more, "")))
		writeFile(t, filepath.Join(p.dir, "tone.wav"), wavAt(t, carrier.Rate, toneAt(theirs, 60*carrier.Rate, carrier.Rate)))
		program := sipptest.StartConsole(t, p.dir, "linphonec", "-a", "-d", "1", "-c", filepath.Join(p.dir, "rc"))
		program.EnterCommand("soundcard use files")
		program.EnterCommand("record " + filepath.Join(p.dir, "heard.wav"))
		program.EnterCommand("play " + filepath.Join(p.dir, "tone.wav"))
		return program
	}, func(context.Context) bool { return sipptest.IsListening("udp", p.at) })
	t.Cleanup(func() {
		p.StopProgram(syscall.SIGKILL) // it takes a minute to end by itself
		if t.Failed() {
			t.Logf("Linphone says:\n%s", p.Output())
		}
	})
	return p
}

// awaitFrame reads frames until one is as wanted.
func awaitFrame(t *testing.T, line carrier.Line, what string, wanted func(carrier.Frame) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		f, err := line.Next(ctx)
		if err != nil {
			t.Fatalf("waiting for %s: %v", what, err)
		}
		if wanted(f) {
			return
		}
	}
}

// hearTone reads frames until a second of them in all was a tone.
func hearTone(t *testing.T, line carrier.Line, hertz float64) {
	t.Helper()
	var heard []float64
	awaitFrame(t, line, fmt.Sprintf("a tone of %v Hz", hertz), func(f carrier.Frame) bool {
		for _, v := range f.In {
			heard = append(heard, float64(v))
		}
		return len(f.In) > 0 && len(heard)%carrier.Rate == 0 && toneSeconds(heard, hertz, carrier.Rate) > 1
	})
}

// talkWithLinphone checks a call that Linphone answered over line: both hear each other and each other's keys, and
// Linphone holds the call and takes it up again.
func talkWithLinphone(t *testing.T, phone *linphonePhone, line carrier.Line) {
	t.Helper()
	line.Say(carrier.Speech{PCM: toneSamples(ours, 60*carrier.Rate)})
	hearTone(t, line, theirs)
	phone.EnterCommand("7")
	awaitFrame(t, line, "a key", func(f carrier.Frame) bool { return f.Digits == "7" })
	phone.EnterCommand("pause")
	awaitFrame(t, line, "the hold", func(f carrier.Frame) bool { return f.Held })
	held := 0
	awaitFrame(t, line, "the end of the hold", func(f carrier.Frame) bool {
		if held++; held%50 == 0 { // Linphone refuses it until our answer to its INVITE has arrived there
			phone.EnterCommand("resume")
		}
		return !f.Held
	})
	hearTone(t, line, theirs)
	line.Flush()
	carrier.SendKeys(line, "4")
	awaitFrame(t, line, "the key to arrive", func(carrier.Frame) bool { return phone.hasSaid("Receiving tone 4 ") })
}

// hasSaid reports whether Linphone has put a text out.
func (p *linphonePhone) hasSaid(text string) bool { return strings.Contains(p.Output(), text) }

// TestLinphone checks calls that Linphone answers, which end by either side.
func TestLinphone(t *testing.T) {
	t.Parallel()
	t.Run("we hang up", func(t *testing.T) {
		t.Parallel()
		phone := startLinphone(t)
		line := dialLine(t, openCarrier(t, "sip:"+phone.at.String()))
		talkWithLinphone(t, phone, line)
		line.Hangup()
		if got := toneSeconds(phone.heard(t), ours, audio.Rate); got < 1 {
			t.Errorf("%.2f s of what Linphone hears are our tone", got)
		}
	})
	t.Run("Linphone hangs up", func(t *testing.T) {
		t.Parallel()
		phone := startLinphone(t)
		line := dialLine(t, openCarrier(t, "sip:"+phone.at.String()))
		hearTone(t, line, theirs)
		phone.EnterCommand("terminate")
		if err := awaitLineEnd(t, line); !errors.Is(err, io.EOF) {
			t.Errorf("Next = %v", err)
		}
	})
}

// TestBridgeOfTwoLinphones checks that keys which people press at either telephone of a bridge arrive at the other one.
func TestBridgeOfTwoLinphones(t *testing.T) {
	t.Parallel()
	nearPhone, farPhone := startLinphone(t), startLinphone(t)
	near, far := dialLine(t, openCarrier(t, "sip:"+nearPhone.at.String())), dialLine(t, openCarrier(t, "sip:"+farPhone.at.String()))
	joined := bridge.Bridge{Near: near, Far: far}
	pressed, deadline := 0, time.Now().Add(patience)
	for !nearPhone.hasSaid("Receiving tone 5 ") || !farPhone.hasSaid("Receiving tone 7 ") {
		if _, err := joined.PassFrame(t.Context()); err != nil {
			t.Fatal(err)
		}
		if pressed++; pressed == 100 { // once both hear each other
			nearPhone.EnterCommand("7")
			farPhone.EnterCommand("5")
		}
		if time.Now().After(deadline) {
			t.Fatal("the keys do not arrive")
		}
	}
}

// TestReferToLinphone transfers a call that Linphone answered: it holds the call, calls the target and reports. One whose
// target is busy goes on.
func TestReferToLinphone(t *testing.T) {
	t.Parallel()
	t.Run("answered", func(t *testing.T) {
		t.Parallel()
		phone, target := startLinphone(t), startLinphone(t)
		line := dialLine(t, openCarrier(t, "sip:"+phone.at.String()))
		hearTone(t, line, theirs)
		began := time.Now()
		if err := line.Transfer(t.Context(), "sip:desk@"+target.at.String()); err != nil {
			t.Fatalf("Transfer = %v", err)
		}
		t.Logf("the target answers after %v", time.Since(began))
		if err := awaitLineEnd(t, line); !errors.Is(err, io.EOF) {
			t.Errorf("Next = %v", err)
		}
		time.Sleep(4 * time.Second) // of talk between the two, without us
		target.EnterCommand("terminate")
		if got := toneSeconds(target.heard(t), theirs, audio.Rate); got < 1 {
			t.Errorf("the target hears the tone of the other telephone for %.2f s", got)
		}
	})
	t.Run("who called in", func(t *testing.T) {
		t.Parallel()
		phone, target := startLinphone(t), startLinphone(t)
		here, moved := openCarrier(t, "sip:"+phone.at.String()), make(chan error, 1)
		here.ReceiveCalls(func(ctx context.Context, in carrier.IncomingCall) {
			line := answerIncoming(t, in)
			if line == nil {
				moved <- carrier.ErrCallerGone
				return
			}
			hearTone(t, line, theirs)
			moved <- line.Transfer(ctx, "sip:desk@"+target.at.String())
		})
		phone.EnterCommand("call sip:966112345678@" + here.Address().String())
		if err := <-moved; err != nil {
			t.Errorf("Transfer = %v", err)
		}
	})
	t.Run("busy", func(t *testing.T) {
		t.Parallel()
		phone := startLinphone(t)
		target := startSIPp(t, joinScenario(invited, inviteAnswers("486 Busy Here"), receiveStep("ACK")))
		line := dialLine(t, openCarrier(t, "sip:"+phone.at.String()))
		hearTone(t, line, theirs)
		err := line.Transfer(t.Context(), "sip:desk@"+target.At.String())
		var refusal *carrier.DialError
		if !errors.As(err, &refusal) || refusal.SIPCode == nil || *refusal.SIPCode != 486 {
			t.Errorf("Transfer = %v", err)
		}
		if _, err := line.Next(t.Context()); err != nil {
			t.Errorf("Next = %v: the call should go on", err)
		}
	})
}

// heard returns what Linphone has recorded, at audio.Rate.
func (p *linphonePhone) heard(t *testing.T) []float64 {
	t.Helper()
	return readSound(t, p.TestProgram, filepath.Join(p.dir, "heard.wav"))
}
