package sip_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/appliance/carrier/dtmf"
	"munadi/appliance/carrier/sip/sipptest"
)

// TestKeysInBand checks with SIPp that keys are heard in the sound of a peer that negotiates no telephone-event, once
// where they come by INFO as well, and that a bridge passes them to a far side by RFC 4733.
func TestKeysInBand(t *testing.T) {
	t.Parallel()
	var tones []int16
	for _, key := range "159D" {
		tones = append(append(tones, make([]int16, 2000)...), dtmf.MakeTone(byte(key), 800)...)
	}
	withoutEvents := []string{
		"Content-Type: application/sdp", "", "v=0", "o=peer 1 1 IN IP4 [media_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0",
		"m=audio [media_port] RTP/AVP 8", "a=rtpmap:8 PCMA/8000",
	}
	infos := ""
	for n, key := range "159" {
		infos += string(pauseStep(300) + peerRequest(n+1, "INFO", "Content-Type: application/dtmf", "", string(key)) + receiveStep("200"))
	}
	for name, between := range map[string]scenarioStep{"in the sound": "", "by INFO as well": scenarioStep(infos)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := &sippPeer{sipptest.PlayScenario(t, sipptest.ScenarioSettings{
				Sound: append(tones, make([]int16, 5*carrier.Rate)...),
				Scenario: joinScenario(invited, inviteAnswers("200 OK", append([]string{contact}, withoutEvents...)...),
					receiveStep("ACK"), plays, between, weHangUp),
			})}
			near := dialLine(t, openCarrier(t, peer.TrunkAddress()))
			far, passed := bridgedKeys(t)
			b := bridge.Bridge{Near: near, Far: far}
			heard := ""
			for begun, after := time.Now(), 0; after < 100 && time.Since(begun) < patience; { // and 2 s more: none comes twice
				if len(heard) >= len("159D") {
					after++
				}
				f, err := b.PassFrame(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				heard += f.Digits
			}
			near.Hangup()
			far.Hangup()
			if got := <-passed; heard != "159D" || got != heard {
				t.Errorf("keys %q are heard, and %q passed", heard, got)
			}
		})
	}
}

// bridgedKeys returns a line whose other end is a carrier of our own, and the keys that arrive there.
func bridgedKeys(t *testing.T) (carrier.Line, <-chan string) {
	t.Helper()
	b := openCarrier(t, "sip:127.0.0.1:9")
	got := make(chan string, 1)
	b.ReceiveCalls(func(ctx context.Context, in carrier.IncomingCall) {
		var keys strings.Builder
		defer func() { got <- keys.String() }()
		line, err := in.Answer(ctx)
		for err == nil {
			var f carrier.Frame
			f, err = line.Next(ctx)
			keys.WriteString(f.Digits)
		}
	})
	return dialLine(t, openCarrier(t, "sip:"+b.Address().String())), got
}
