package sip_test

import (
	"context"
	"errors"
	"io"
	"regexp"
	"sync"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/appliance/carrier/sip"
	"munadi/engine/audio"
)

// TestBridgeOfTwoTelephones checks with two telephones whose codecs differ, each over TLS and SRTP, that either hears
// the other.
func TestBridgeOfTwoTelephones(t *testing.T) {
	t.Parallel()
	const fars = 700
	for name, sound := range map[string]phoneSound{
		"G722": {"G722/16000/1", "g722", 16000, fars}, "opus": {"opus/48000/2", "opus", 48000, fars},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			joinTelephones(t, alaw, sound)
		})
	}
}

// joinTelephones checks that two telephones hear each other over a bridge.
func joinTelephones(t *testing.T, nears, fars phoneSound) {
	t.Helper()
	a := newAuthority(t)
	dial := func(sound phoneSound) (*baresipPhone, carrier.Line) {
		phone := startBaresip(t, a.identityPEM, sound)
		trunk, secure := phone.secureTrunk(a.rootPool(), true)
		return phone, dialLine(t, openCarrier(t, trunk, secure, func(o *sip.TrunkOptions) { o.Codecs = nil }))
	}
	nearPhone, near := dial(nears)
	farPhone, far := dial(fars)
	b := bridge.Bridge{Near: near, Far: far}
	for range 300 {
		if _, err := b.PassFrame(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	near.Hangup()
	far.Hangup()
	if got := toneSeconds(nearPhone.recordedSound(t), fars.hertz, audio.Rate); got < 1 {
		t.Errorf("%.2f s of what the caller hears are the tone of %v Hz of the member of staff", got, fars.hertz)
	}
	if got := toneSeconds(farPhone.recordedSound(t), nears.hertz, audio.Rate); got < 1 {
		t.Errorf("%.2f s of what the member of staff hears are the caller's tone of %v Hz", got, nears.hertz)
	}
}

// TestKeysAreSent checks that the DTMF that we send arrives at a carrier of our own.
func TestKeysAreSent(t *testing.T) {
	t.Parallel()
	b := openCarrier(t, "sip:127.0.0.1:9")
	a := openCarrier(t, "sip:"+b.Address().String())
	incoming := make(chan carrier.Line, 1)
	b.ReceiveCalls(func(ctx context.Context, in carrier.IncomingCall) {
		line, err := in.Answer(ctx)
		if err != nil {
			t.Error(err)
			return
		}
		incoming <- line
		<-ctx.Done()
	})
	line := dialLine(t, a)
	other := <-incoming
	carrier.SendKeys(line, "1*#D x0")
	got := ""
	for len(got) < 5 {
		f, err := other.Next(t.Context())
		if err != nil {
			t.Fatalf("after %q: %v", got, err)
		}
		got += f.Digits
	}
	if got != "1*#D0" {
		t.Errorf("keys arrive as %q", got)
	}
}

// TestKeysReachATelephone checks with baresip that it receives each key that we send, once and in order (RFC 4733).
func TestKeysReachATelephone(t *testing.T) {
	t.Parallel()
	phone, line := dialEncrypted(t)
	received := regexp.MustCompile(`received event: '(.)' \(end=0\)`)
	const sent = "123#*09D"
	carrier.SendKeys(line, sent)
	var got string
	for begun, quiet := time.Now(), 0; quiet < 100 && time.Since(begun) < patience; { // and 2 s more: none comes twice
		if _, err := line.Next(t.Context()); err != nil {
			t.Fatalf("after %q: %v", got, err)
		}
		got = ""
		for _, found := range received.FindAllStringSubmatch(phone.Output(), -1) {
			got += found[1]
		}
		if len(got) >= len(sent) {
			quiet++
		}
	}
	if got != sent {
		t.Errorf("baresip receives %q, want %q", got, sent)
	}
}

// TestStaffLegEnds checks with SIPp how a bridge ends: the member of staff hangs up, or sends no audio.
func TestStaffLegEnds(t *testing.T) {
	t.Parallel()
	leg := func(t *testing.T, more ...scenarioStep) (*sippPeer, carrier.Line) {
		peer := startSIPp(t, joinScenario(append([]scenarioStep{invited, agreeAnswer(), receiveStep("ACK")}, more...)...))
		return peer, dialLine(t, openCarrier(t, peer.TrunkAddress()))
	}
	for name, c := range map[string]struct {
		far  []scenarioStep
		want error
	}{
		"hangs up": {[]scenarioStep{plays, pauseStep(3000), hangsUp(1)}, io.EOF},
		"no audio": {[]scenarioStep{weHangUp}, carrier.ErrNoAudio},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nearPeer, near := leg(t, plays, weHangUp)
			_, far := leg(t, c.far...)
			b := bridge.Bridge{Near: near, Far: far}
			var err error
			for err == nil {
				_, err = b.PassFrame(t.Context())
			}
			if ended := new(bridge.FarError); !errors.As(err, &ended) || !errors.Is(err, c.want) {
				t.Errorf("PassFrame = %v, want %v of the far line", err, c.want)
			}
			near.Hangup()
			far.Hangup()
			nearPeer.awaitRequest(t, "BYE", 1)
		})
	}
}

// TestCancelOfTheStaffLeg checks that a telephone that rings for nobody any more gets a CANCEL.
func TestCancelOfTheStaffLeg(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("180 Ringing"), receiveStep("CANCEL"), replyStep("200 OK"),
		inviteAnswers("487 Request Terminated"), receiveStep("ACK")))
	c := openCarrier(t, peer.TrunkAddress())
	ctx, cancel := context.WithCancel(t.Context())
	var ringing sync.Once
	r := newDialRequest("01")
	r.Staff, r.Address, r.Ringing = true, "sip:204@pbx.example", func() { ringing.Do(cancel) }
	if _, err := c.Dial(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v", err)
	}
	if line := peer.awaitRequest(t, "INVITE", 1).first; line != "INVITE sip:204@pbx.example SIP/2.0" {
		t.Errorf("the request is %q", line)
	}
	peer.awaitRequest(t, "CANCEL", 1)
}
