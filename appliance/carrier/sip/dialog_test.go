package sip_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// digits takes frames until so many keys were pressed.
func digits(t *testing.T, line carrier.Line, n int) string {
	t.Helper()
	out := ""
	for range int(patience / carrier.Tick) {
		f, err := line.Next(t.Context())
		if err != nil {
			t.Fatalf("Next = %v after the keys %q", err, out)
		}
		if out += f.Digits; len(out) >= n {
			return out
		}
	}
	t.Fatalf("the keys %q, want %d", out, n)
	return ""
}

// TestKeysByINFO: both forms that telephones send.
func TestKeysByINFO(t *testing.T) {
	t.Parallel()
	press := func(n int, kind string, lines ...string) step {
		return asks(n, "INFO", append([]string{"Content-Type: " + kind, ""}, lines...)...) + recv("200")
	}
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"),
		press(1, "application/dtmf-relay", "Signal=7", "Duration=160"), press(2, "application/dtmf-relay", "Signal= #", "Duration= 160"),
		press(3, "application/dtmf", "*"), press(4, "application/dtmf-relay", "Signal=11"), weHangUp))
	line := dial(t, calls(t, peer.Trunk()))
	if got := digits(t, line, 4); got != "7#*#" {
		t.Errorf("the keys %q", got)
	}
	line.Hangup()
	peer.await(t, "BYE", 1)
}

// TestRequestsInside: signs of life and what nobody knows are answered, and the call goes on.
func TestRequestsInside(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), asks(1, "OPTIONS"), recv("200"), asks(2, "UPDATE"), recv("200"),
		asks(3, "INFO"), recv("200"), asks(4, "PUBLISH"), recv("405"), asks(5, "FLATTER"), recv("405"),
		asks(9, "NOTIFY", "Event: refer", "Subscription-State: terminated"), recv("200"),
		// A number that goes back is out of order (RFC 3261 §12.2.2).
		asks(8, "INFO"), recv("500"), weHangUp))
	line := dial(t, calls(t, peer.Trunk()))
	peer.awaitAnswer(t, "INFO", 2)
	for _, method := range []string{"OPTIONS", "PUBLISH", "FLATTER"} {
		if allow := peer.awaitAnswer(t, method, 1).get("Allow"); !strings.Contains(allow, "INVITE") || !strings.Contains(allow, "BYE") {
			t.Errorf("Allow in the answer to %s is %q", method, allow)
		}
	}
	line.Hangup()
	peer.await(t, "BYE", 1)
}

// outsider calls us: SIPp as a client, which ends when its scenario has.
func outsider(t *testing.T, c *sip.Carrier, steps ...step) {
	t.Helper()
	peer := sipptest.Play(t, sipptest.Settings{Scenario: scenario(steps...), Calls: c.Address()})
	select {
	case <-peer.Exited():
	case <-time.After(patience):
		t.Error("SIPp waits")
	}
}

// TestRequestsFromOutside: we take no calls and know of no others.
func TestRequestsFromOutside(t *testing.T) {
	t.Parallel()
	outside := func(method string) step {
		return send(true, []string{
			method + " sip:someone@[remote_ip]:[remote_port] SIP/2.0",
			"Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: <sip:stranger@[local_ip]>" + tag,
			"To: <sip:someone@[remote_ip]>", "Call-ID: [call_id]", "CSeq: 1 " + method, "Max-Forwards: 70", contact,
		})
	}
	unknown := func(method string) step {
		return step(strings.Replace(string(outside(method)), "To: <sip:someone@[remote_ip]>", "To: <sip:someone@[remote_ip]>;tag=never", 1))
	}
	ack := step(strings.NewReplacer(`retrans="500"`, "", "branch=[branch]", "branch=[branch-2]").Replace(string(outside("ACK"))))
	c := calls(t, nobody(t))
	for name, steps := range map[string][]step{
		"INVITE":               {outside("INVITE"), `<recv response="100" optional="true"/>`, recv("480"), ack},
		"INVITE of a call":     {unknown("INVITE"), `<recv response="100" optional="true"/>`, recv("481"), ack},
		"OPTIONS":              {outside("OPTIONS"), recv("200")},
		"BYE":                  {unknown("BYE"), recv("481")},
		"NOTIFY":               {unknown("NOTIFY"), recv("481")},
		"CANCEL":               {outside("CANCEL"), recv("481")},
		"a method of its own":  {outside("FLATTER"), recv("405")},
		"MESSAGE":              {outside("MESSAGE"), recv("405")},
		"REFER":                {outside("REFER"), recv("405")},
		"ACK, then OPTIONS":    {ack, outside("OPTIONS"), recv("200")},
		"INVITE without sound": {step(strings.Replace(string(outside("INVITE")), contact, "", 1)), `<recv response="100" optional="true"/>`, recv("480"), ack},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outsider(t, c, steps...)
		})
	}
}

// TestUnansweredHangUp: the other side never answers our BYE. The line is over at once, and so is the carrier soon.
func TestUnansweredHangUp(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), recv("BYE"), pause(1500)))
	c := calls(t, peer.Trunk())
	line := dial(t, c)
	line.Hangup()
	if _, err := line.Next(t.Context()); !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("Next = %v", err)
	}
	peer.await(t, "BYE", 2)
	began := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > patience {
		t.Errorf("Close took %v", took)
	}
}

// TestCloseEndsCalls: nobody is left in a call when the carrier closes.
func TestCloseEndsCalls(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), weHangUp))
	c := calls(t, peer.Trunk())
	line := dial(t, c)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := over(t, line); err == nil {
		t.Error("the line goes on")
	}
	if n := len(peer.sent("BYE")); n != 1 {
		t.Errorf("%d BYE", n)
	}
}

// elsewhere is a place that SIP messages can be sent to, other than SIPp's.
type elsewhere struct {
	socket net.PacketConn
	t      *testing.T
}

func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return &elsewhere{socket, t}
}

// takes waits for a request of a method, and answers it if it is to be.
func (e *elsewhere) takes(method string) message {
	e.t.Helper()
	_ = e.socket.SetReadDeadline(time.Now().Add(patience))
	buffer := make([]byte, 1<<16)
	for {
		n, from, err := e.socket.ReadFrom(buffer)
		if err != nil {
			e.t.Fatalf("no %s: %v", method, err)
		}
		m, ok := parse(string(buffer[:n]))
		if !ok || m.method() != method {
			continue
		}
		if method != "ACK" {
			head, _, _ := strings.Cut(string(buffer[:n]), "\r\n\r\n")
			_, head, _ = strings.Cut(head, "\r\n")
			answer, err := textproto.NewReader(bufio.NewReader(strings.NewReader(head + "\r\n\r\n"))).ReadMIMEHeader()
			if err != nil {
				e.t.Fatal(err)
			}
			var b strings.Builder
			b.WriteString("SIP/2.0 200 OK\r\n")
			for _, name := range []string{"Via", "From", "To", "Call-Id", "Cseq"} {
				fmt.Fprintf(&b, "%s: %s\r\n", name, answer.Get(name))
			}
			_, _ = e.socket.WriteTo([]byte(b.String()+"Content-Length: 0\r\n\r\n"), from)
		}
		return m
	}
}

// TestContactElsewhere: after the answer requests go to where its Contact says (RFC 3261 §12.2.1.1).
func TestContactElsewhere(t *testing.T) {
	t.Parallel()
	there := newElsewhere(t)
	at := there.socket.LocalAddr().String()
	answer := answers("200 OK", append([]string{"Contact: <sip:other@" + at + ">"}, sound(mediaHere)...)...)
	peer := sipp(t, scenario(invited, step(strings.Replace(string(answer), ` retrans="500"`, "", 1)), pause(100)))
	line := dial(t, calls(t, peer.Trunk()))
	ack := there.takes("ACK")
	line.Hangup()
	bye := there.takes("BYE")
	for _, m := range []message{ack, bye} {
		if want := m.method() + " sip:other@" + at + " SIP/2.0"; m.first != want {
			t.Errorf("%q, want %q", m.first, want)
		}
	}
}

// TestLooseRoute: with a Record-Route the requests go there, and say where they are to end.
func TestLooseRoute(t *testing.T) {
	t.Parallel()
	proxy := newElsewhere(t)
	at := proxy.socket.LocalAddr().String()
	answer := answers("200 OK", append([]string{contact, "Record-Route: <sip:inner@127.0.0.9;lr>", "Record-Route: <sip:" + at + ";lr;leg=1>"}, sound(mediaHere)...)...)
	peer := sipp(t, scenario(invited, step(strings.Replace(string(answer), ` retrans="500"`, "", 1)), pause(100)))
	line := dial(t, calls(t, peer.Trunk()))
	ack := proxy.takes("ACK")
	line.Hangup()
	bye := proxy.takes("BYE")
	for _, m := range []message{ack, bye} {
		if !strings.Contains(m.first, "sip:peer@"+peer.At.String()) {
			t.Errorf("%q does not go to the Contact", m.first)
		}
		routes := strings.ReplaceAll(strings.Join(m.header["Route"], ","), " ", "")
		if want := "<sip:" + at + ";lr;leg=1>,<sip:inner@127.0.0.9;lr>"; routes != want {
			t.Errorf("%s has the Route %q, want %q", m.method(), routes, want)
		}
	}
}

// TestTransfer: the outcome of a transfer is what the other side tells of it; until it succeeds the call goes on.
func TestTransfer(t *testing.T) {
	t.Parallel()
	notify := func(n int, state, fragment string) step {
		return asks(n, "NOTIFY", "Event: refer", "Subscription-State: "+state, "Content-Type: message/sipfrag", "", fragment) + recv("200")
	}
	refer := recv("REFER")
	for _, c := range []struct {
		name  string
		steps []step
		works bool
	}{
		{"answered", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), notify(2, "active", "SIP/2.0 180 Ringing"), notify(3, "terminated", "SIP/2.0 200 OK"), weHangUp}, true},
		{"they hang up", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), hangsUp(2)}, true},
		{"nobody there", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), notify(2, "terminated", "SIP/2.0 486 Busy Here"), weHangUp}, false},
		{"not known", []step{refer, replies("405 Method Not Allowed"), weHangUp}, false},
		{"refused", []step{refer, replies("603 Decline"), weHangUp}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			peer := sipp(t, scenario(append([]step{invited, agrees(), recv("ACK")}, c.steps...)...))
			line := dial(t, calls(t, peer.Trunk()))
			err := line.Transfer(t.Context(), "+966500000055")
			if (err == nil) != c.works {
				t.Fatalf("Transfer = %v", err)
			}
			if to := peer.await(t, "REFER", 1).get("Refer-To"); !strings.Contains(to, "sip:+966500000055@"+peer.At.Addr().String()) {
				t.Errorf("Refer-To is %q", to)
			}
			if c.works {
				if err := over(t, line); !errors.Is(err, io.EOF) {
					t.Errorf("Next = %v", err)
				}
				return
			}
			if _, err := line.Next(t.Context()); err != nil {
				t.Errorf("Next = %v: the call should go on", err)
			}
			line.Hangup()
			peer.await(t, "BYE", 1)
		})
	}
}

// TestTransferGivenUp: whoever waits for a transfer may stop waiting.
func TestTransferGivenUp(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), recv("REFER"), replies("202 Accepted"), weHangUp))
	line := dial(t, calls(t, peer.Trunk()))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		peer.await(t, "REFER", 1)
		cancel()
	}()
	if err := line.Transfer(ctx, "+966500000055"); !errors.Is(err, context.Canceled) {
		t.Errorf("Transfer = %v", err)
	}
	line.Hangup()
	peer.await(t, "BYE", 1)
}

// TestOverTCP: the same over a stream.
func TestOverTCP(t *testing.T) {
	t.Parallel()
	peer := sippOverTCP(t, scenario(invited, answers("100 Trying"), answers("180 Ringing"), agrees(), recv("ACK"), asks(1, "OPTIONS"), recv("200"), weHangUp))
	line := dial(t, calls(t, peer.Trunk()))
	peer.awaitAnswer(t, "OPTIONS", 1)
	if _, err := line.Next(t.Context()); err != nil {
		t.Error(err)
	}
	line.Hangup()
	peer.await(t, "BYE", 1)
	if via := peer.sent("INVITE")[0].get("Via"); !strings.HasPrefix(via, "SIP/2.0/TCP ") {
		t.Errorf("Via %q", via)
	}
}
