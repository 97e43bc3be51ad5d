package media

import (
	"net/netip"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// mostEarly is how much early media is kept: the latest, since announcements come last.
const mostEarly = 20 * carrier.Rate

// earlyListener keeps the early media of a call: sound before the answer, such as ringing and announcements. It is no
// line: nothing is sent, packets are decoded as they arrive, and those that come late are dropped.
type earlyListener struct {
	stream  sdp.AgreedStream
	anyone  bool // packets from any address count
	opener  *srtpReceiver
	decoder soundDecoder
	begun   bool
	last    uint16 // sequence number
	packet  rtp.Packet
	pcm     []int16
}

// HearEarly begins to keep the early media of a stream that a provisional response describes, until Start. It begins
// anew where the response describes another stream.
func (s *MediaSession) HearEarly(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started || s.err != nil || s.early != nil && s.early.stream.Remote == stream.Remote {
		return s.err
	}
	if err := checkAgreement(local, stream); err != nil {
		return err
	}
	opener, err := newOpener(stream.Key, nil)
	if err != nil {
		return err
	}
	decoder, err := newDecoder(stream.Codec)
	if err != nil {
		return err
	}
	s.early = &earlyListener{stream: stream, anyone: s.latch.mode == First, opener: opener, decoder: decoder}
	return nil
}

// EarlySound returns the latest early media, at [carrier.Rate]; nil without any.
func (s *MediaSession) EarlySound() []int16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.early == nil {
		return nil
	}
	return s.early.pcm[max(0, len(s.early.pcm)-mostEarly):]
}

// takePacket decodes one RTP datagram.
func (e *earlyListener) takePacket(b []byte, from netip.AddrPort) {
	p := &e.packet
	if !e.anyone && unmapAddress(from).Addr() != e.stream.Remote.Addr().Unmap() {
		return
	}
	if p.Unmarshal(b) != nil || p.Version != 2 {
		return
	}
	if e.opener != nil {
		opened, err := e.opener.openRTP(b, p.SSRC)
		if err != nil || p.Unmarshal(opened) != nil {
			return
		}
	}
	isLate := e.begun && int16(p.SequenceNumber-e.last) <= 0
	if p.PayloadType != e.stream.Payload || isLate || e.decoder.countSlots(p.Payload) == 0 {
		return
	}
	e.begun, e.last = true, p.SequenceNumber
	if len(e.pcm) >= 2*mostEarly {
		e.pcm = append(e.pcm[:0], e.pcm[len(e.pcm)-mostEarly:]...)
	}
	for _, slot := range e.decoder.decodeSound(p.Payload) {
		e.pcm = append(e.pcm, int16((int(slot[0])+int(slot[1]))/2))
	}
}
