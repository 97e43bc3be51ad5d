package sip

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// streamLimits bound the connections that others make to our port of signalling.
type streamLimits struct {
	perAddress int           // at once, of one address
	strangers  int           // at once, of all addresses that we have not written to
	idle       time.Duration // without a byte, of an address that we have written to
	visit      time.Duration // the longest that a stranger's lasts
	write      time.Duration // for the other side to take what we send
}

// usualStreams leave room for a trunk of many servers, and none for who only holds connections open.
var usualStreams = streamLimits{
	perAddress: 8, strangers: 32, idle: 10 * time.Minute, visit: 30 * time.Second, write: 10 * time.Second,
}

// boundedListener is a listener whose connections are bounded in number and time, so that strangers can't keep the trunk out.
type boundedListener struct {
	net.Listener
	guard  *strangerFilter
	limits streamLimits

	mu        sync.Mutex
	open      map[netip.Addr]int
	strangers int
}

func newStreams(l net.Listener, g *strangerFilter, limits streamLimits) *boundedListener {
	return &boundedListener{Listener: l, guard: g, limits: limits, open: map[netip.Addr]int{}}
}

// Accept returns the next connection that is within the limits; the others are closed.
func (s *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if stream := s.admitConnection(c); stream != nil {
			return stream, nil
		}
		_ = c.Close()
	}
}

// admitConnection counts a connection; nil for one too many.
func (s *boundedListener) admitConnection(c net.Conn) *trackedConn {
	from := addrPort(c.RemoteAddr()).Addr()
	stranger := !s.guard.isKnownAddress(from)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[from] >= s.limits.perAddress || stranger && s.strangers >= s.limits.strangers {
		return nil
	}
	s.open[from]++
	if stranger {
		s.strangers++
	}
	return &trackedConn{Conn: c, of: s, from: from, stranger: stranger, began: time.Now()}
}

// forgetConnection takes a closed connection off the count.
func (s *boundedListener) forgetConnection(c *trackedConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[c.from]--; s.open[c.from] == 0 {
		delete(s.open, c.from)
	}
	if c.stranger {
		s.strangers--
	}
}

// trackedConn is a connection that somebody made to us.
type trackedConn struct {
	net.Conn
	of       *boundedListener
	from     netip.Addr
	stranger bool // when it came
	began    time.Time
	closed   sync.Once
}

// Read ends the connection where nothing comes for long, or where a stranger stays too long.
func (c *trackedConn) Read(b []byte) (int, error) {
	until := time.Now().Add(c.of.limits.idle)
	if c.stranger && !c.of.guard.isKnownAddress(c.from) {
		until = c.began.Add(c.of.limits.visit)
	}
	if err := c.SetReadDeadline(until); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write ends the connection where the other side does not take what we send.
func (c *trackedConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.of.limits.write)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Close implements net.Conn.
func (c *trackedConn) Close() error {
	c.closed.Do(func() { c.of.forgetConnection(c) })
	return c.Conn.Close()
}
