package media

import (
	"errors"
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// tick makes one frame, which was due some time ago.
func (s *Session) tick(late time.Duration) {
	packet, to := s.frame(late)
	if len(packet) == 0 {
		return
	}
	// What ICMP says of an earlier packet comes back here. It may be over soon: only quiet ends a call.
	if _, err := s.rtp.WriteToUDPAddrPort(packet, to); err != nil {
		s.mu.Lock()
		s.unsent++
		s.mu.Unlock()
	}
}

// frame makes the frame, and the packet that is to be sent if any; the packet is valid until the next tick.
func (s *Session) frame(late time.Duration) (packet []byte, to netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, to
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
	return packet, to
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
		s.end(&carrier.Refusal{Err: errors.New("no sound came from the other side for " + quiet.String())})
	}
}
