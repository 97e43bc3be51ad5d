package sip_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip"
)

// TestIPv6 checks that IPv6 addresses are in brackets in URIs and Via (RFC 3261 §19.1.1, §25.1), and without brackets
// in SDP.
func TestIPv6(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	socket, err := net.ListenPacket("udp6", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 here")
	}
	there := &sipSocket{socket, map[string]bool{}, t}
	defer func() { _ = socket.Close() }()
	c := openCarrier(t, "sip:"+socket.LocalAddr().String(), func(o *sip.TrunkOptions) { o.Listen = netip.MustParseAddrPort("[::1]:0") })
	ctx, cancel := context.WithCancel(t.Context())
	given := make(chan error, 1)
	go func() {
		_, err := c.Dial(ctx, newDialRequest("01"))
		given <- err
	}()
	_ = socket.SetReadDeadline(time.Now().Add(patience))
	m, err := there.nextMessage("nothing")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`\[::1\]:\d+`)
	at := own.FindString(m.headerValue("Contact"))
	if at != c.Address().String() || !strings.HasPrefix(m.headerValue("Via"), "SIP/2.0/UDP "+at+";") || !strings.Contains(m.body, "c=IN IP6 ::1\n") ||
		!strings.Contains(m.first, "@"+socket.LocalAddr().String()+" ") {
		t.Errorf("%s\n%v\n%s", m.first, m.header, m.body)
	}
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v", err)
	}
}
