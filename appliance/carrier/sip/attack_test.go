package sip_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// cancelOf is the CANCEL of the first INVITE, which SIPp sent as its first message; branch is its branch in SIPp's terms.
func cancelOf(branch string) scenarioStep {
	step := trunkRequest(1, "CANCEL", "sip:966112345678@[remote_ip]:[remote_port]", "")
	return scenarioStep(strings.Replace(string(step), "branch=[branch]", "branch="+branch, 1))
}

// TestInboundCrossings checks inbound calls whose messages cross: a BYE instead of the ACK, and a CANCEL after our 200,
// which comes too late (RFC 3261 §9.2): the call is up until the caller's BYE.
func TestInboundCrossings(t *testing.T) {
	t.Parallel()
	ok := `<recv response="100" optional="true"/><recv response="180" optional="true"/><recv response="200"><action>
<ereg regexp="tag=[^;]*" search_in="hdr" header="To:" check_it="true" assign_to="theirs"/>
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" check_it="true" assign_to="uri"/>
</action></recv><Reference variables="theirs,uri"/>`
	ack := withoutRetransmission(trunkRequest(1, "ACK", "[$uri]", ";[$theirs]"))
	for name, c := range map[string]struct {
		steps []scenarioStep
		want  error // of Answer
		up    bool  // it is answered
	}{
		"BYE before ACK":   {[]scenarioStep{scenarioStep(ok), inTheCall(2, "BYE"), receiveStep("200")}, carrier.ErrCallerGone, false},
		"CANCEL after 200": {[]scenarioStep{scenarioStep(ok), cancelOf("[branch-4]"), receiveStep("200"), ack, pauseStep(300), inTheCall(2, "BYE"), receiveStep("200")}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answered, ended := make(chan error, 1), make(chan error, 1)
			trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
				in.Ring()
				line, err := in.Answer(t.Context())
				answered <- err
				if err == nil {
					ended <- awaitLineEnd(t, line)
				}
			})
			trunk.play(t, append([]scenarioStep{inviteUs(soundBody(mediaHere)...)}, c.steps...)...)
			if err := <-answered; !errors.Is(err, c.want) {
				t.Errorf("Answer = %v", err)
			} else if c.up {
				if err := <-ended; !errors.Is(err, io.EOF) {
					t.Errorf("the line ended by %v", err)
				}
			}
			awaitNoCalls(t, trunk.carrier)
		})
	}
}

// TestInboundByeBeforeAnswer checks a caller who hangs up by BYE while it rings (RFC 3261 §15): the INVITE is answered
// 487, and the call is that of a caller who is gone.
func TestInboundByeBeforeAnswer(t *testing.T) {
	t.Parallel()
	answered := make(chan error, 1)
	gone := make(chan struct{})
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
		in.Ring()
		<-gone
		_, err := in.Answer(t.Context())
		answered <- err
	})
	const ringing scenarioStep = `<recv response="100" optional="true"/><recv response="180"><action>
<ereg regexp="tag=[^;]*" search_in="hdr" header="To:" check_it="true" assign_to="theirs"/>
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" check_it="true" assign_to="uri"/>
</action></recv><Reference variables="theirs,uri"/>`
	ack := strings.Replace(string(trunkRequest(1, "ACK", "sip:966112345678@[remote_ip]:[remote_port]", ";[$theirs]")), "branch=[branch]", "branch=[branch-8]", 1)
	const trying scenarioStep = `<recv response="100" optional="true"/>` // of the transaction's own timer
	trunk.play(t, inviteUs(soundBody(mediaHere)...), ringing, withoutRetransmission(inTheCall(2, "BYE")), trying, receiveStep("200"),
		trying, receiveStep("487"), withoutRetransmission(scenarioStep(ack)))
	close(gone)
	if err := <-answered; !errors.Is(err, carrier.ErrCallerGone) {
		t.Errorf("Answer = %v", err)
	}
	awaitNoCalls(t, trunk.carrier)
}

// TestReferIsRefused checks that nobody may send us elsewhere: a REFER is refused, and the call goes on.
func TestReferIsRefused(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"),
		peerRequest(1, "REFER", "Refer-To: <sip:+96650000009@evil.example>"), receiveStep("405"), peerRequest(2, "OPTIONS"), receiveStep("200"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "OPTIONS", 1)
	if allow := peer.awaitAnswer(t, "REFER", 1).headerValue("Allow"); strings.Contains(allow, "REFER") {
		t.Errorf("Allow is %q", allow)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestStrangeCallers checks INVITEs whose From is long or garbage: none has a caller's number, and the next call comes in.
func TestStrangeCallers(t *testing.T) {
	t.Parallel()
	const anyone, proper = "966112345678", "+966500000007"
	for name, from := range map[string]string{
		"10 kB of a name":   `"` + strings.Repeat("a", 10_000) + `" <sip:anonymous@192.0.2.1>;tag=1`,
		"10 kB of a number": `<sip:` + strings.Repeat("9", 10_000) + `@192.0.2.1>;tag=1`,
		"no URI":            `<<>>;;";tag=1`,
		"escapes":           `"\"\\" <sip:%00%0d%0aVia:%20x@192.0.2.1>;tag=1`,
		"not UTF-8":         "\"\xff\xfe\" <sip:\xff@192.0.2.1>;tag=1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			numbers := make(chan string, 8)
			trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
				numbers <- in.Caller()
				in.Refuse(carrier.RefuseBusy)
			})
			invite := "INVITE sip:" + anyone + "@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKstrange;rport\r\nFrom: " + from +
				"\r\nTo: <sip:" + anyone + "@192.0.2.2>\r\nCall-ID: strange\r\nCSeq: 1 INVITE\r\nContact: <sip:x@192.0.2.1>\r\nContent-Length: 0\r\n\r\n"
			socket, err := net.DialUDP("udp", &net.UDPAddr{IP: trunk.at.Addr().AsSlice()}, net.UDPAddrFromAddrPort(trunk.carrier.Address()))
			if err == nil {
				_, err = socket.Write([]byte(invite))
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = socket.Close() }()
			trunk.play(t, inviteUs(soundBody(mediaHere)...), refusedWith("486"))
			for number := ""; number != proper; {
				if number = <-numbers; number != proper && number != "" {
					t.Errorf("the caller's number is %.40q", number)
				}
			}
			awaitNoCalls(t, trunk.carrier)
		})
	}
}

// awaitNoCalls waits until a carrier holds neither a dialog nor a line.
func awaitNoCalls(t *testing.T, c *sip.Carrier) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, nil, func() bool { return c.HeldCalls() == 0 }); err != nil {
		t.Errorf("%d calls are left: %v", c.HeldCalls(), err)
	}
}
