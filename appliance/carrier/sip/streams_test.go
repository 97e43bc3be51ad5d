package sip_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"munadi/appliance/carrier/sip"
)

// openVisitors opens connections from an address to a listener that only reads.
func openVisitors(t *testing.T, to net.Addr, from string, n int) (all []net.Conn) {
	t.Helper()
	for range n {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := d.DialContext(t.Context(), "tcp", to.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		all = append(all, c)
	}
	return all
}

// countOpen returns how many of them are still open after a while.
func countOpen(all []net.Conn, after time.Duration) (n int) {
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(after))
		after = min(after, 50*time.Millisecond)
		_, err := c.Read(make([]byte, 1))
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			n++
		}
	}
	return n
}

// boundedListener returns a listener with these limits; known addresses are those to which we have sent requests.
func boundedListener(t *testing.T, visit, idle time.Duration, known ...string) net.Addr {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var addresses []netip.Addr
	for _, a := range known {
		addresses = append(addresses, netip.MustParseAddr(a))
	}
	s := sip.BoundStreams(l, 3, 5, visit, idle, addresses)
	t.Cleanup(func() { _ = s.Close() })
	go func() {
		for {
			c, err := s.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(io.Discard, c)
				_ = c.Close()
			}()
		}
	}()
	return l.Addr()
}

// TestStreamsAreBounded checks that connections are limited per address, and for all unknown addresses together, so
// that the trunk always has room; closed ones make room.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	at := boundedListener(t, time.Minute, time.Minute, "127.8.8.8")
	var strange []net.Conn
	for i := range 4 {
		strange = append(strange, openVisitors(t, at, fmt.Sprintf("127.9.9.%d", i+1), 4)...)
	}
	for countOpen(strange, 500*time.Millisecond) > 5 { // until the others are closed
		continue
	}
	if n := countOpen(strange, 500*time.Millisecond); n != 5 {
		t.Errorf("%d connections of strangers are open, want 5", n)
	}
	known := openVisitors(t, at, "127.8.8.8", 4)
	for countOpen(known, 500*time.Millisecond) > 3 {
		continue
	}
	if n := countOpen(known, 500*time.Millisecond); n != 3 {
		t.Errorf("%d connections of the trunk are open, want 3", n)
	}
	for _, c := range strange {
		_ = c.Close()
	}
	for until := time.Now().Add(patience); countOpen(openVisitors(t, at, "127.9.9.9", 1), 500*time.Millisecond) != 1; {
		if time.Now().After(until) {
			t.Fatal("there is no room after all have left")
		}
	}
}

// TestStreamsEnd checks that a stranger's connection ends after a time, whatever it sends, and the trunk's after a long
// idle time.
func TestStreamsEnd(t *testing.T) {
	t.Parallel()
	at := boundedListener(t, 300*time.Millisecond, time.Hour, "127.8.8.8")
	stranger, trunk := openVisitors(t, at, "127.9.9.9", 1), openVisitors(t, at, "127.8.8.8", 1)
	go func() {
		for range 100 {
			if _, err := stranger[0].Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	if n := countOpen(stranger, patience); n != 0 {
		t.Error("the stranger stays")
	}
	if n := countOpen(trunk, 500*time.Millisecond); n != 1 {
		t.Error("the trunk is sent away with the stranger")
	}
	idle := openVisitors(t, boundedListener(t, time.Hour, 300*time.Millisecond, "127.8.8.8"), "127.8.8.8", 1)
	if n := countOpen(idle, patience); n != 0 {
		t.Error("an idle connection stays")
	}
}
