package media

import (
	"slices"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier/sip/sdp"
)

// mediaReceiver makes frames and keys of the packets that are received.
type mediaReceiver struct {
	local    sdp.LocalMedia
	stream   sdp.AgreedStream
	opener   *srtpReceiver // nil: plain RTP
	reports  *srtpReceiver // the same for RTCP
	source   senderStats
	other    uint32 // the sender of the last packet, if it is not the one that is heard
	others   int    // its packets in a row
	anew     bool   // after an agreement another sender is believed at once
	jitter   jitterBuffer
	events   dtmfReceiver
	pressed  []byte // since the last frame
	received uint64
}

const (
	most    = 64 // keys of one frame; who presses more is no person
	settled = 2  // packets in a row that make another sender the one that is heard
)

// applyAgreement takes over what both sides agreed on, or leaves all as it was.
func (i *mediaReceiver) applyAgreement(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	opener, err := newOpener(stream.Key, i.opener)
	if err != nil {
		return err
	}
	reports, err := newOpener(stream.Key, i.reports)
	if err != nil {
		return err
	}
	i.local, i.stream, i.opener, i.reports, i.anew = local, stream, opener, reports, true
	return nil
}

// codecFor says how the sound of a payload type is coded. Beside the agreed type, which has the other side's number, the
// other side may use those that we offered, by our numbers (RFC 3264 §5.1).
func (i *mediaReceiver) codecFor(payload uint8) (l g711Codec, ok bool) {
	if payload == i.stream.Payload {
		return lawOf(i.stream.Codec), true
	}
	return lawOf(sdp.Codec(payload)), slices.Contains(i.local.Codecs, sdp.Codec(payload))
}

// isTelephoneEvent says whether a payload type is telephone-event.
func (i *mediaReceiver) isTelephoneEvent(payload uint8) bool {
	return i.stream.Events != 0 && (payload == i.stream.Events || payload == sdp.OfferedEvents)
}

// isExpectedType says whether a payload type is one of the agreement.
func (i *mediaReceiver) isExpectedType(payload uint8) bool {
	_, sound := i.codecFor(payload)
	return sound || payload == comfortNoise || i.isTelephoneEvent(payload)
}

// comfortNoise is the payload type that says how silence sounds (RFC 3389). It counts as a packet of the other side's,
// whether or not it was agreed on, and is played as silence.
const comfortNoise = 13

// takePacket takes a packet of a payload type that is expected, at a time since the answer, and says whether it was of use.
// One that came before is no harm. It may have been us who were late.
func (i *mediaReceiver) takePacket(p *rtp.Packet, at time.Duration, late bool) bool {
	coded, sound := i.codecFor(p.PayloadType)
	if !i.acceptSender(p) {
		return false
	}
	if !i.source.countPacket(p.SequenceNumber) {
		return true
	}
	i.received++
	switch {
	case sound:
		i.source.measureJitter(p.Timestamp, at)
		i.jitter.pushPacket(p.Timestamp, p.Marker, late, p.Payload, coded.decode)
		i.events.endPress()
	case p.PayloadType == comfortNoise:
		i.events.endPress()
	default:
		if key := i.events.pushPacket(p.Timestamp, p.Marker, p.Payload); key != 0 {
			i.pressKey(key)
		}
	}
	return true
}

// acceptSender says whether the packet is of the sender that is heard. Another takes its place when two packets of it come
// in a row: with an agreement, or because something on the way connects the call with somebody else.
func (i *mediaReceiver) acceptSender(p *rtp.Packet) bool {
	if i.source.known && p.SSRC == i.source.ssrc {
		i.others, i.anew = 0, false
		return true
	}
	if p.SSRC != i.other {
		i.other, i.others = p.SSRC, 0
	}
	if i.others++; i.source.known && !i.anew && i.others < settled {
		return false
	}
	i.source.beginSender(p.SSRC, p.SequenceNumber)
	i.jitter.running, i.events = false, dtmfReceiver{}
	i.others, i.anew = 0, false
	return true
}

func (i *mediaReceiver) pressKey(key byte) {
	if len(i.pressed) < most {
		i.pressed = append(i.pressed, key)
	}
}

// playFrame fills a frame and returns its keys.
func (i *mediaReceiver) playFrame(frame []int16) string {
	i.jitter.pullFrame(frame)
	i.events.countTick()
	pressed := string(i.pressed)
	i.pressed = i.pressed[:0]
	return pressed
}
