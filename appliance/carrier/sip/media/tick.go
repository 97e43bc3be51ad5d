package media

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// makeTick generates one frame, which was due late ago.
func (s *MediaSession) makeTick(late time.Duration) {
	if s.observe != nil {
		s.observe(late)
	}
	f := s.makeFrame(late)
	s.sendPacket(s.rtp, f.packet, f.to)
	s.sendPacket(s.rtcp, f.report, f.reportsTo)
}

// tickPackets are what is sent at a tick, valid until the next one, and where to.
type tickPackets struct {
	packet, report []byte
	to, reportsTo  netip.AddrPort
}

// sendPacket sends a packet, if there is one. ICMP errors of earlier packets surface here and are ignored: only the RTP
// timeout ends a call.
func (s *MediaSession) sendPacket(c *net.UDPConn, packet []byte, to netip.AddrPort) {
	if len(packet) > 0 && to.IsValid() {
		_, _ = c.WriteToUDPAddrPort(packet, to) // see above
	}
}

// makeFrame generates the frame and the packets to send.
func (s *MediaSession) makeFrame(late time.Duration) (p tickPackets) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return p
	}
	f := carrier.Frame{At: time.Duration(s.made) * carrier.Tick, Held: !s.stream.Listens}
	s.in.playFrame(&f)
	p.to = s.latch.sendAddress()
	p.reportsTo = s.reportsAddress(p.to)
	if s.stream.Listens && late <= grace && p.to.IsValid() {
		var spoken spokenFrame
		s.out.speech.playFrame(&spoken, s.made*carrier.Samples)
		f.Out = spoken.pcm
		if p.packet = s.out.makeKeyPacket(s.stream.Events, s.stream.EventRate); p.packet == nil {
			p.packet = s.out.makePacket(&spoken)
		}
	} else {
		s.out.skipFrame()
	}
	s.made++
	s.keepFrame(&f)
	s.sampleQuality()
	s.checkSilence(late)
	p.report = s.makeReport(time.Now())
	return p
}

// reportsAddress returns where RTCP goes beside RTP to an address: to what the remote side named, unless it is behind
// NAT, else to the next port.
func (s *MediaSession) reportsAddress(to netip.AddrPort) netip.AddrPort {
	if s.stream.Reports.IsValid() && to.Addr() == unmapAddress(s.stream.Remote).Addr() {
		return s.stream.Reports
	}
	return netip.AddrPortFrom(to.Addr(), to.Port()+1)
}

// checkSilence applies the RTP timeout. Only on-time ticks count, so that our own delays do not end calls.
func (s *MediaSession) checkSilence(late time.Duration) {
	switch {
	case s.transferring || s.isOnHold():
		s.silent = 0
	case late <= grace:
		s.silent++
	}
	if limit := s.silenceLimit(); s.silent >= int(limit/carrier.Tick) {
		s.endSession(&carrier.DialError{Err: s.silenceError(limit)})
	}
}

// isOnHold reports whether the remote side need not send. After the answer sendonly is its hold (RFC 3264 §8.4), and
// many telephones then send nothing.
func (s *MediaSession) isOnHold() bool {
	return !s.stream.Sends || !s.local.Receiving || s.settled && !s.stream.Listens
}

// silenceLimit returns the RTP timeout that applies now.
func (s *MediaSession) silenceLimit() time.Duration {
	switch {
	case s.stream.Discontinuous || s.in.discontinuous:
		return discontinuousSilence
	case s.settled:
		return lineSilence
	default:
		return answerSilence
	}
}

func (s *MediaSession) silenceError(limit time.Duration) error {
	err := fmt.Errorf("%w: no RTP packet came from %v for %v", carrier.ErrNoAudio, s.latch.peerAddress(), limit)
	if s.foreign+s.forged > 0 {
		err = fmt.Errorf("%w, but %d packets from other addresses and %d that did not authenticate, which were ignored",
			err, s.foreign, s.forged)
	}
	return err
}

// noteAlive records that the remote side sends.
func (s *MediaSession) noteAlive() { s.silent, s.settled = 0, true }

const (
	// grace is how late a packet may still be sent: remote jitter buffers hold at least that much.
	grace = 60 * time.Millisecond
	// settle is the time for the reader after a delay, to receive the packets that arrived meanwhile.
	settle = 2 * time.Millisecond
)

// tickClock generates ticks; the first one is due one tick after the answer.
type tickClock struct {
	start time.Time
	n     int // ticks so far
}

// lateness returns how long ago the next tick was due; negative: in the future.
func (c *tickClock) lateness() time.Duration {
	return time.Since(c.start) - time.Duration(c.n+1)*carrier.Tick
}

// runTicks calls tick when each is due, or as soon as possible, with its lateness, until the end.
func (c *tickClock) runTicks(ended <-chan struct{}, tick func(late time.Duration)) {
	timer := time.NewTimer(-c.lateness())
	defer timer.Stop()
	for {
		select {
		case <-ended:
			return
		case <-timer.C:
		}
		if c.lateness() > carrier.Tick {
			timer.Reset(settle)
			<-timer.C
		}
		for late := c.lateness(); late >= 0; late = c.lateness() {
			tick(late)
			c.n++
		}
		timer.Reset(-c.lateness())
	}
}
