package sip_test

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// compactForms are the short names of headers (RFC 3261 §7.3.3).
var compactForms = strings.NewReplacer("\nVia:", "\nv:", "\nFrom:", "\nf:", "\nTo:", "\nt:", "\nCall-ID:", "\ni:", "\nContact:", "\nm:",
	"\nContent-Type:", "\nc:", "\nSupported:", "\nk:", "\nSession-Expires:", "\nx:", "\nContent-Length:", "\nl:")

// TestCompactForms checks that answers and requests with short header names are read as with long ones.
func TestCompactForms(t *testing.T) {
	t.Parallel()
	there := newListener(t)
	compact := func(s scenarioStep) scenarioStep { return scenarioStep(compactForms.Replace(string(s))) }
	peer := startSIPp(t, joinScenario(invited, compact(inviteAnswers("180 Ringing")), compact(agreeAnswer()), receiveStep("ACK"), pauseStep(100),
		compact(peerRequest(1, "INVITE", append([]string{"Supported: timer", "Session-Expires: 1800;refresher=uac"}, soundBody(there.hostPort())...)...)),
		receiveStep("200"), compact(ackAnswer(1)), pauseStep(500),
		compact(peerRequest(2, "INFO", "Content-Type: application/dtmf-relay", "", "Signal=5", "Duration=160")), receiveStep("200"),
		compact(peerRequest(3, "UPDATE", "Supported: timer", "Session-Expires: 30")), receiveStep("422"), pauseStep(500), compact(hangsUp(4))))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	keys := ""
	for {
		f, err := line.Next(t.Context())
		if err != nil {
			break
		}
		keys += f.Digits
	}
	if keys != "5" || there.packetCount() == 0 {
		t.Errorf("keys are %q, want 5; %d packets came to the new address", keys, there.packetCount())
	}
	if got := peer.sentAnswers("INVITE")[0].headerValue("Session-Expires"); got != "1800;refresher=uac" {
		t.Errorf("Session-Expires is %q", got)
	}
}

// TestSoundBesideSignalling checks an answer whose session description is one part of several, as gateways send that
// pass ISDN signalling on (RFC 3261 §7.4, RFC 5621).
func TestSoundBesideSignalling(t *testing.T) {
	t.Parallel()
	there := newListener(t)
	sound := soundBody(there.hostPort())[2:]
	body := append([]string{`Content-Type: multipart/mixed;boundary="part"`, "", "--part", "Content-Type: application/sdp", ""}, sound...)
	body = append(body, "--part", "Content-Type: application/isup;version=itu-t92+", "Content-Disposition: signal;handling=optional", "", "m=c=binary", "--part--")
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", append([]string{contact}, body...)...), receiveStep("ACK"), pauseStep(500),
		peerRequest(1, "INVITE", body...), receiveStep("200"), ackAnswer(1), pauseStep(500), hangsUp(2)))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	if err := <-readFrames(t, line); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if there.packetCount() == 0 {
		t.Error("no packets came")
	}
}
