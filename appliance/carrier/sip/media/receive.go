package media

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
)

// readRTP takes packets until the end.
func (s *Session) readRTP() {
	s.read(s.rtp, func(b []byte, from netip.AddrPort) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.started && s.err == nil {
			s.receive(b, from)
		}
	})
}

// read reads datagrams until the end. One that is too long for the buffer is cut.
func (s *Session) read(c *net.UDPConn, take func(b []byte, from netip.AddrPort)) {
	buffer := make([]byte, 2048)
	for {
		n, from, err := c.ReadFromUDPAddrPort(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err == nil:
			take(buffer[:n], from)
			continue
		}
		select { // ICMP says that nobody listens there: that may be over soon
		case <-s.ended:
			return
		case <-time.After(carrier.Tick):
		}
	}
}

// receive takes one datagram.
func (s *Session) receive(b []byte, from netip.AddrPort) {
	if !s.local.Receiving {
		return
	}
	var p rtp.Packet
	if p.Unmarshal(b) != nil || p.Version != 2 || !s.latch.takes(from) {
		return
	}
	if s.in.take(&p) {
		s.silent = 0
	}
}
