package sip

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// streamLimits are the connection limits of the signalling port.
type streamLimits struct {
	perAddress int           // concurrent, per address
	strangers  int           // concurrent, of all unknown addresses
	idle       time.Duration // idle timeout of a known address
	visit      time.Duration // maximum duration of an unknown address's connection
	write      time.Duration // write timeout
}

// usualStreams suffice for a trunk with many servers, and stop connection floods.
var usualStreams = streamLimits{
	perAddress: 8, strangers: 32, idle: 10 * time.Minute, visit: 30 * time.Second, write: 10 * time.Second,
}

// boundedListener is a listener with limits on number and duration of connections, so that strangers cannot lock the
// trunk out.
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

// Accept returns the next connection within the limits; others are closed.
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

// admitConnection counts a connection; nil if a limit is exceeded.
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

// forgetConnection uncounts a closed connection.
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

// trackedConn is a counted incoming connection.
type trackedConn struct {
	net.Conn
	of       *boundedListener
	from     netip.Addr
	stranger bool // unknown address at the time of connecting
	began    time.Time
	closed   sync.Once
}

// Read enforces the idle timeout, and the maximum duration for unknown addresses.
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

// Write enforces the write timeout.
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
