package sip_test

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// sipSocket is a SIP endpoint other than SIPp.
type sipSocket struct {
	socket net.PacketConn
	asked  map[string]bool // Call-IDs of the calls that it let ring into the void
	t      *testing.T
}

func newElsewhere(t *testing.T) *sipSocket {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return &sipSocket{socket, map[string]bool{}, t}
}

func (e *sipSocket) localPort() uint16 {
	return netip.MustParseAddrPort(e.socket.LocalAddr().String()).Port()
}

// answerRequest waits for a request with a method, and answers it unless it is an ACK.
func (e *sipSocket) answerRequest(method string) sipMessage {
	e.t.Helper()
	_ = e.socket.SetReadDeadline(time.Now().Add(patience))
	for {
		m, err := e.nextMessage(method)
		if err != nil {
			e.t.Fatalf("no %s: %v", method, err)
		}
		if m.requestMethod() == method {
			return m
		}
	}
}

// nextMessage reads a message; a request with that method is answered.
func (e *sipSocket) nextMessage(method string) (sipMessage, error) {
	buffer := make([]byte, 1<<16)
	n, from, err := e.socket.ReadFrom(buffer)
	if err != nil {
		return sipMessage{}, err
	}
	m, _ := parseMessages(string(buffer[:n]))
	if m.requestMethod() != method || method == "ACK" {
		return m, nil
	}
	var b strings.Builder
	b.WriteString("SIP/2.0 200 OK\r\n")
	for _, name := range []string{"Via", "From", "To", "Call-Id", "Cseq"} {
		fmt.Fprintf(&b, "%s: %s\r\n", name, m.headerValue(name))
	}
	_, err = e.socket.WriteTo([]byte(b.String()+"Content-Length: 0\r\n\r\n"), from)
	return m, err
}

// TestContactElsewhere checks that requests after the answer are sent to the Contact's address (RFC 3261 §12.2.1.1).
func TestContactElsewhere(t *testing.T) {
	t.Parallel()
	there := newElsewhere(t)
	at := there.socket.LocalAddr().String()
	answer := inviteAnswers("200 OK", append([]string{"Contact: <sip:other@" + at + ">"}, soundBody(mediaHere)...)...)
	peer := startSIPp(t, joinScenario(invited, withoutRetransmission(answer), pauseStep(100)))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	ack := there.answerRequest("ACK")
	line.Hangup()
	bye := there.answerRequest("BYE")
	for _, m := range []sipMessage{ack, bye} {
		if want := m.requestMethod() + " sip:other@" + at + " SIP/2.0"; m.first != want {
			t.Errorf("%q, want %q", m.first, want)
		}
	}
}

// TestLooseRoute checks that with a Record-Route requests are sent there, with the Contact as request URI.
func TestLooseRoute(t *testing.T) {
	t.Parallel()
	proxy := newElsewhere(t)
	at := proxy.socket.LocalAddr().String()
	answer := inviteAnswers("200 OK", append([]string{contact, "Record-Route: <sip:inner@127.0.0.9;lr>", "Record-Route: <sip:" + at + ";lr;leg=1>"}, soundBody(mediaHere)...)...)
	peer := startSIPp(t, joinScenario(invited, withoutRetransmission(answer), pauseStep(100)))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	ack := proxy.answerRequest("ACK")
	line.Hangup()
	bye := proxy.answerRequest("BYE")
	for _, m := range []sipMessage{ack, bye} {
		if !strings.Contains(m.first, "sip:peer@"+peer.At.String()) {
			t.Errorf("%q does not go to the Contact", m.first)
		}
		routes := strings.ReplaceAll(strings.Join(m.header["Route"], ","), " ", "")
		if want := "<sip:" + at + ";lr;leg=1>,<sip:inner@127.0.0.9;lr>"; routes != want {
			t.Errorf("%s has the Route %q, want %q", m.requestMethod(), routes, want)
		}
	}
}
