package sip_test

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// callingTrunk is a trunk that calls in, from an address of its own.
type callingTrunk struct {
	at      netip.AddrPort
	carrier *sip.Carrier
}

// newCallingTrunk opens the carrier on a trunk that calls in; receive takes its calls.
func newCallingTrunk(
	t *testing.T, receive func(in carrier.IncomingCall), changes ...func(*sip.TrunkOptions),
) callingTrunk {
	t.Helper()
	at := netip.AddrPortFrom(sipptest.OwnAddress(), 5060)
	c := openCarrier(t, "sip:"+at.String(), changes...)
	c.ReceiveCalls(func(_ context.Context, in carrier.IncomingCall) { receive(in) })
	return callingTrunk{at, c}
}

// play runs SIPp as the trunk, until the end of its scenario.
func (c callingTrunk) play(t *testing.T, steps ...scenarioStep) {
	t.Helper()
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: joinScenario(steps...), Sound: speechClip(t), Calls: c.carrier.Address(), At: c.at,
	})
	select {
	case <-peer.ExitedChan():
	case <-time.After(patience):
		t.Error("SIPp waits")
	}
}

// inviteUs is an INVITE of the trunk; a body begins after an empty line.
func inviteUs(more ...string) scenarioStep {
	return trunkRequest(1, "INVITE", "sip:966112345678@[remote_ip]:[remote_port]", "", more...)
}

// trunkRequest is a request of the calling trunk; to is what follows the address in To.
func trunkRequest(n int, method, uri, to string, more ...string) scenarioStep {
	number := string(rune('0' + n))
	return sendStep(true, append([]string{
		method + " " + uri + " SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
		"From: <sip:+966500000007@[local_ip]>" + tag, "To: <sip:966112345678@[remote_ip]>" + to, "Call-ID: [call_id]",
		"CSeq: " + number + " " + method, "Max-Forwards: 70", contact,
	}, more...))
}

// answered expects our 200, after any provisional responses, and acknowledges it.
func answered(more ...string) scenarioStep {
	return `<recv response="100" optional="true"/><recv response="180" optional="true"/><recv response="200"><action>
<ereg regexp="tag=[^;]*" search_in="hdr" header="To:" check_it="true" assign_to="theirs"/>
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" check_it="true" assign_to="uri"/>
</action></recv><Reference variables="theirs,uri"/>` + withoutRetransmission(trunkRequest(1, "ACK", "[$uri]", ";[$theirs]", more...))
}

// inTheCall is a request of the trunk in the dialog.
func inTheCall(n int, method string, more ...string) scenarioStep {
	return trunkRequest(n, method, "[$uri]", ";[$theirs]", more...)
}

// refusedWith expects a refusal, and acknowledges it.
func refusedWith(status string) scenarioStep {
	ack := trunkRequest(1, "ACK", "sip:966112345678@[remote_ip]:[remote_port]", "[peer_tag_param]")
	return `<recv response="100" optional="true"/><recv response="180" optional="true"/>` + receiveStep(status) +
		withoutRetransmission(scenarioStep(strings.Replace(string(ack), "branch=[branch]", "branch=[branch-2]", 1)))
}

// answerIncoming answers a call and returns its line.
func answerIncoming(t *testing.T, in carrier.IncomingCall) carrier.Line {
	t.Helper()
	in.Ring()
	line, err := in.Answer(t.Context())
	if err != nil {
		t.Errorf("Answer: %v", err)
		return nil
	}
	return line
}

// TestInboundCall checks a whole call: numbers, sound in both directions, a change of the media, and both ways to end it.
func TestInboundCall(t *testing.T) {
	t.Parallel()
	for name, end := range map[string][]scenarioStep{
		"they hang up": {
			pauseStep(500), inTheCall(2, "INVITE", soundBody(mediaHere, "a=sendonly")...), receiveStep("200"),
			withoutRetransmission(inTheCall(2, "ACK")), inTheCall(3, "BYE"), receiveStep("200"),
		},
		"we hang up": {weHangUp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan error, 1)
			trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
				if called := in.Called(); !slices.Equal(called, []string{"+966112345678"}) || in.Caller() != "+966500000007" {
					t.Errorf("%v is called by %q", called, in.Caller())
				}
				line := answerIncoming(t, in)
				if line == nil {
					ended <- nil
					return
				}
				ended <- hearSound(t, line, name == "we hang up")
			})
			trunk.play(t, append([]scenarioStep{inviteUs(soundBody(mediaHere)...), answered(), plays}, end...)...)
			if err := <-ended; !errors.Is(err, io.EOF) && !errors.Is(err, carrier.ErrHungUp) {
				t.Errorf("the line ended by %v", err)
			}
		})
	}
}

// hearSound reads a line to its end, hanging up at the first sound if it should, and fails without any.
func hearSound(t *testing.T, line carrier.Line, hangUp bool) error {
	t.Helper()
	line.Say(carrier.Speech{PCM: make([]int16, carrier.Rate)})
	heard := false
	for {
		f, err := line.Next(t.Context())
		if err != nil {
			if !heard {
				t.Error("the line brought no sound")
			}
			return err
		}
		if slices.Max(f.In[:]) > 1000 {
			heard = true
			if hangUp {
				line.Hangup()
			}
		}
	}
}

// TestInboundCallWithoutOffer checks an INVITE without a session description: our 200 offers, and the ACK answers.
func TestInboundCallWithoutOffer(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
		line := answerIncoming(t, in)
		if line == nil {
			ended <- nil
			return
		}
		ended <- hearSound(t, line, false)
	})
	trunk.play(t, inviteUs(), answered(soundBody(mediaHere)...), plays, pauseStep(500), inTheCall(2, "BYE"), receiveStep("200"))
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("the line ended by %v", err)
	}
}

// TestInboundCallCancelled checks a caller who hangs up before the answer.
func TestInboundCallCancelled(t *testing.T) {
	t.Parallel()
	cancelled, result := make(chan struct{}), make(chan error, 1)
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
		in.Ring()
		<-cancelled
		_, err := in.Answer(t.Context())
		result <- err
	})
	cancel := trunkRequest(1, "CANCEL", "sip:966112345678@[remote_ip]:[remote_port]", "")
	cancel = scenarioStep(strings.Replace(string(cancel), "branch=[branch]", "branch=[branch-3]", 1))
	ack := trunkRequest(1, "ACK", "sip:966112345678@[remote_ip]:[remote_port]", "[peer_tag_param]")
	ack = withoutRetransmission(scenarioStep(strings.Replace(string(ack), "branch=[branch]", "branch=[branch-6]", 1)))
	trunk.play(t, inviteUs(soundBody(mediaHere)...), `<recv response="100"/><recv response="180"/>`, cancel,
		receiveStep("200"), receiveStep("487"), ack)
	close(cancelled)
	if err := <-result; !errors.Is(err, carrier.ErrCallerGone) {
		t.Errorf("Answer = %v", err)
	}
}

// TestInboundRefusals checks what callers are told who are not answered.
func TestInboundRefusals(t *testing.T) {
	t.Parallel()
	refuse := func(why carrier.Refusal) func(carrier.IncomingCall) {
		return func(in carrier.IncomingCall) {
			in.Refuse(why)
			in.Refuse(carrier.RefuseBusy)
			if _, err := in.Answer(t.Context()); err == nil {
				t.Error("a refused call is answered")
			}
		}
	}
	plain := soundBody(mediaHere)
	for name, c := range map[string]struct {
		receive func(carrier.IncomingCall)
		invite  scenarioStep
		status  string
	}{
		"no route":    {refuse(carrier.RefuseUnrouted), inviteUs(plain...), "404"},
		"busy":        {refuse(carrier.RefuseBusy), inviteUs(plain...), "486"},
		"no line":     {refuse(carrier.RefuseOverload), inviteUs(plain...), "503"},
		"forgotten":   {func(carrier.IncomingCall) {}, inviteUs(plain...), "480"},
		"panic":       {func(carrier.IncomingCall) { panic("a fault") }, inviteUs(plain...), "480"},
		"video alone": {nil, inviteUs("Content-Type: application/sdp", "", "v=0", "o=peer 1 1 IN IP4 [media_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0", "m=video 9 RTP/AVP 99"), "488"},
		"no Contact":  {nil, scenarioStep(strings.Replace(string(inviteUs(plain...)), contact+"\n", "", 1)), "400"},
		"extension":   {nil, inviteUs(append([]string{"Require: 100rel"}, plain...)...), "420"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receive := c.receive
			if receive == nil {
				receive = func(carrier.IncomingCall) { t.Error("the call is received") }
			}
			newCallingTrunk(t, receive).play(t, c.invite, refusedWith(c.status))
		})
	}
}

// TestInboundFeedbackProfile checks a call whose offers are in the profile with feedback (RTP/AVPF, RFC 4585), as of
// gateways of browsers: the answer is in that profile, and so is our own offer in the call.
func TestInboundFeedbackProfile(t *testing.T) {
	t.Parallel()
	inProfile := func(steps scenarioStep) scenarioStep {
		const check = `<ereg regexp="m=audio [0-9]+ RTP/AVPF 8" search_in="body" check_it="true" assign_to="profile"/>`
		return scenarioStep(strings.Replace(string(steps), "<action>", "<action>"+check, 1)) + `<Reference variables="profile"/>`
	}
	body := soundBody(mediaHere)
	for i, line := range body {
		body[i] = strings.Replace(line, "RTP/AVP", "RTP/AVPF", 1)
	}
	body = append(body, "a=rtcp-fb:* trr-int 5000")
	ended := make(chan error, 1)
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
		if line := answerIncoming(t, in); line != nil {
			ended <- <-readFrames(t, line)
		}
	})
	ack := scenarioStep(strings.Replace(string(inTheCall(2, "ACK", body...)), "branch=[branch]", "branch=[branch-2]", 1))
	trunk.play(t, inviteUs(body...), inProfile(answered()), plays, pauseStep(300),
		inTheCall(2, "INVITE"), inProfile(`<recv response="200"><action></action></recv>`), withoutRetransmission(ack),
		pauseStep(300), inTheCall(3, "BYE"), receiveStep("200"))
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
}

// TestInboundFromStranger checks that a call from an address that is not the trunk's is refused as by a carrier that
// takes none.
func TestInboundFromStranger(t *testing.T) {
	t.Parallel()
	trunk := newCallingTrunk(t, func(carrier.IncomingCall) { t.Error("the call is received") })
	trunk.at = netip.AddrPortFrom(sipptest.OwnAddress(), 5060)
	trunk.play(t, inviteUs(soundBody(mediaHere)...), refusedWith("480"))
}

// TestInboundBeyondLines checks that calls beyond the lines are refused before anything is asked.
func TestInboundBeyondLines(t *testing.T) {
	t.Parallel()
	sipptest.RequireProgram(t, "sipp", "sip-tester") // here, since the first call is played in another goroutine
	busy := make(chan struct{})
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
		line := answerIncoming(t, in)
		close(busy)
		_ = awaitLineEnd(t, line)
	}, func(o *sip.TrunkOptions) { o.Lines = 1 })
	first := make(chan struct{})
	go func() {
		defer close(first)
		trunk.play(t, inviteUs(soundBody(mediaHere)...), answered(), plays, receiveStep("BYE")+replyStep("200 OK"))
	}()
	<-busy
	second := trunk
	second.at = netip.AddrPortFrom(trunk.at.Addr(), 5062)
	second.play(t, inviteUs(soundBody(mediaHere)...), refusedWith("503"))
	if err := trunk.carrier.Close(); err != nil {
		t.Error(err)
	}
	<-first
}

// TestArrivals checks the limit of new calls from one address.
func TestArrivals(t *testing.T) {
	t.Parallel()
	var l sip.ArrivalLimiter
	flood, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	admitted := 0
	for range 1000 {
		if l.Admit(flood) {
			admitted++
		}
	}
	if admitted < 40 || admitted > 900 {
		t.Errorf("%d of 1000 calls at once are admitted", admitted)
	}
	if !l.Admit(other) {
		t.Error("a flood from one address blocks another")
	}
}
