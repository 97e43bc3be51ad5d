package sip_test

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// elsewhere is a place that SIP messages can be sent to, other than SIPp's.
type elsewhere struct {
	socket net.PacketConn
	asked  map[string]bool // Call-IDs of the calls that it let ring into the void
	t      *testing.T
}

func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return &elsewhere{socket, map[string]bool{}, t}
}

func (e *elsewhere) port() uint16 {
	return netip.MustParseAddrPort(e.socket.LocalAddr().String()).Port()
}

// takes waits for a request of a method, and answers it unless it is an ACK.
func (e *elsewhere) takes(method string) message {
	e.t.Helper()
	_ = e.socket.SetReadDeadline(time.Now().Add(patience))
	for {
		m, err := e.next(method)
		if err != nil {
			e.t.Fatalf("no %s: %v", method, err)
		}
		if m.method() == method {
			return m
		}
	}
}

// next reads a message; one of that method is answered.
func (e *elsewhere) next(method string) (message, error) {
	buffer := make([]byte, 1<<16)
	n, from, err := e.socket.ReadFrom(buffer)
	if err != nil {
		return message{}, err
	}
	m, _ := parse(string(buffer[:n]))
	if m.method() != method || method == "ACK" {
		return m, nil
	}
	var b strings.Builder
	b.WriteString("SIP/2.0 200 OK\r\n")
	for _, name := range []string{"Via", "From", "To", "Call-Id", "Cseq"} {
		fmt.Fprintf(&b, "%s: %s\r\n", name, m.get(name))
	}
	_, err = e.socket.WriteTo([]byte(b.String()+"Content-Length: 0\r\n\r\n"), from)
	return m, err
}

// TestContactElsewhere: after the answer requests go to where its Contact says (RFC 3261 §12.2.1.1).
func TestContactElsewhere(t *testing.T) {
	t.Parallel()
	there := newElsewhere(t)
	at := there.socket.LocalAddr().String()
	answer := inviteAnswers("200 OK", append([]string{"Contact: <sip:other@" + at + ">"}, sound(mediaHere)...)...)
	peer := sipp(t, scenario(invited, once(answer), pause(100)))
	line := dial(t, calls(t, peer.TrunkAddress()))
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
	answer := inviteAnswers("200 OK", append([]string{contact, "Record-Route: <sip:inner@127.0.0.9;lr>", "Record-Route: <sip:" + at + ";lr;leg=1>"}, sound(mediaHere)...)...)
	peer := sipp(t, scenario(invited, once(answer), pause(100)))
	line := dial(t, calls(t, peer.TrunkAddress()))
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
