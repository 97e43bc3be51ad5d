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

// streams is a listener whose connections are bounded in number and time, so that strangers can't keep the trunk out.
type streams struct {
	net.Listener
	guard  *guard
	limits streamLimits

	mu        sync.Mutex
	open      map[netip.Addr]int
	strangers int
}

func newStreams(l net.Listener, g *guard, limits streamLimits) *streams {
	return &streams{Listener: l, guard: g, limits: limits, open: map[netip.Addr]int{}}
}

// Accept returns the next connection that is within the limits; the others are closed.
func (s *streams) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if stream := s.admit(c); stream != nil {
			return stream, nil
		}
		_ = c.Close()
	}
}

// admit counts a connection; nil for one too many.
func (s *streams) admit(c net.Conn) *stream {
	from := addrPort(c.RemoteAddr()).Addr()
	stranger := !s.guard.knows(from)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[from] >= s.limits.perAddress || stranger && s.strangers >= s.limits.strangers {
		return nil
	}
	s.open[from]++
	if stranger {
		s.strangers++
	}
	return &stream{Conn: c, of: s, from: from, stranger: stranger, began: time.Now()}
}

// forget takes a closed connection off the count.
func (s *streams) forget(c *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[c.from]--; s.open[c.from] == 0 {
		delete(s.open, c.from)
	}
	if c.stranger {
		s.strangers--
	}
}

// stream is a connection that somebody made to us.
type stream struct {
	net.Conn
	of       *streams
	from     netip.Addr
	stranger bool // when it came
	began    time.Time
	closed   sync.Once
}

// Read ends the connection where nothing comes for long, or where a stranger stays too long.
func (c *stream) Read(b []byte) (int, error) {
	until := time.Now().Add(c.of.limits.idle)
	if c.stranger && !c.of.guard.knows(c.from) {
		until = c.began.Add(c.of.limits.visit)
	}
	if err := c.SetReadDeadline(until); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write ends the connection where the other side does not take what we send.
func (c *stream) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.of.limits.write)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Close implements net.Conn.
func (c *stream) Close() error {
	c.closed.Do(func() { c.of.forget(c) })
	return c.Conn.Close()
}
