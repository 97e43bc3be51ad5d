package media

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// tick makes one frame, which was due some time ago.
func (s *Session) tick(late time.Duration) {
	packet, report, to := s.frame(late)
	s.send(s.rtp, packet, to)
	s.send(s.rtcp, report, netip.AddrPortFrom(to.Addr(), to.Port()+1))
}

// send sends a packet, if there is one. What ICMP says of an earlier one comes back here as an error: only quiet ends a
// call.
func (s *Session) send(c *net.UDPConn, packet []byte, to netip.AddrPort) {
	if len(packet) == 0 || !to.IsValid() {
		return
	}
	if _, err := c.WriteToUDPAddrPort(packet, to); err != nil {
		s.mu.Lock()
		s.unsent++
		s.mu.Unlock()
	}
}

// frame makes the frame, and what is to be sent, if anything; that is valid until the next tick.
func (s *Session) frame(late time.Duration) (packet, report []byte, to netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, nil, to
	}
	f := carrier.Frame{At: time.Duration(s.made) * carrier.Tick}
	f.Digits = s.in.tick(f.In[:])
	to = s.latch.tick()
	if s.stream.Listens && late <= grace && to.IsValid() {
		s.out.speech.play(f.Out[:], s.made*carrier.Samples)
		packet = s.out.packet(f.Out[:])
	} else {
		s.out.skip()
	}
	s.made++
	s.keep(&f)
	s.watch(late)
	return packet, s.report(time.Now()), to
}

// watch ends the line where the other side should send and does not. Only ticks in time count: a delay of ours is no
// fault of the other side.
func (s *Session) watch(late time.Duration) {
	switch {
	case !s.stream.Sends || !s.local.Receiving:
		s.silent = 0
	case late <= grace:
		s.silent++
	}
	if s.silent >= int(quiet/carrier.Tick) {
		s.end(&carrier.Refusal{Err: s.silence()})
	}
}

func (s *Session) silence() error {
	if s.foreign > 0 {
		return fmt.Errorf("no sound came from %v for %v, but %d packets of other addresses, which are not taken",
			s.latch.peer(), quiet, s.foreign)
	}
	return fmt.Errorf("no sound came from %v for %v", s.latch.peer(), quiet)
}
