package media

import (
	"slices"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// mediaReceiver decodes received packets into frames and keys.
type mediaReceiver struct {
	local         sdp.LocalMedia
	stream        sdp.AgreedStream
	opener        *srtpReceiver // nil: plain RTP
	reports       *srtpReceiver // the same for RTCP
	source        senderStats
	other         uint32 // SSRC of the last packet, if not the current source
	others        int    // its consecutive packets
	acceptNewSSRC bool   // after a negotiation another SSRC is accepted at once
	clock         stampClock
	decoders      map[sdp.Codec]soundDecoder // of the current source, by codec
	wide          bool                       // the last packet's codec is wideband
	narrow        bandFilter
	slots         [carrier.Samples]soundSlot
	jitter        jitterBuffer
	events        dtmfReceiver
	tones         toneReceiver
	keys          keyCollector
	discontinuous bool // comfort noise came: the remote side does not send packets of silence
	received      uint64
}

// settled is the number of consecutive packets that make another SSRC the source.
const settled = 2

// applyAgreement applies a negotiated stream, or leaves everything unchanged.
func (i *mediaReceiver) applyAgreement(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	opener, err := newOpener(stream.Key, i.opener)
	if err != nil {
		return err
	}
	reports, err := newOpener(stream.Key, i.reports)
	if err != nil {
		return err
	}
	i.local, i.stream, i.opener, i.reports, i.acceptNewSSRC = local, stream, opener, reports, true
	return nil
}

// codecFor returns the codec of a payload type. Besides the negotiated type, which has the remote side's number, the
// remote side may use those that we offered, with our numbers (RFC 3264 §5.1).
func (i *mediaReceiver) codecFor(payload uint8) (c sdp.Codec, ok bool) {
	if payload == i.stream.Payload {
		return i.stream.Codec, true
	}
	return sdp.Codec(payload), slices.Contains(i.local.Codecs, sdp.Codec(payload))
}

// decoderOf returns the decoder of a codec for the current source; nil if there is none.
func (i *mediaReceiver) decoderOf(c sdp.Codec) soundDecoder {
	if d := i.decoders[c]; d != nil {
		return d
	}
	d, err := newDecoder(c)
	if err != nil {
		return nil
	}
	if i.decoders == nil {
		i.decoders = map[sdp.Codec]soundDecoder{}
	}
	i.decoders[c] = d
	return d
}

// isTelephoneEvent reports whether a payload type is telephone-event.
func (i *mediaReceiver) isTelephoneEvent(payload uint8) bool {
	return i.stream.Events != 0 &&
		(payload == i.stream.Events || payload == sdp.OfferedEvents || payload == sdp.OfferedWideEvents)
}

// isExpectedType reports whether a payload type was negotiated.
func (i *mediaReceiver) isExpectedType(payload uint8) bool {
	_, sound := i.codecFor(payload)
	return sound || payload == comfortNoise || i.isTelephoneEvent(payload)
}

// comfortNoise is the payload type of comfort noise (RFC 3389). It counts as received media, negotiated or not, and is
// played as silence.
const comfortNoise = 13

// takePacket handles a packet of an expected payload type that arrived at at since the answer, and reports whether it
// was used. late means that we read it late, so its arrival time is unknown.
func (i *mediaReceiver) takePacket(p *rtp.Packet, at time.Duration, late bool) bool {
	codec, sound := i.codecFor(p.PayloadType)
	if !i.acceptSender(p) {
		return false
	}
	isEvent := !sound && p.PayloadType != comfortNoise
	if isEvent && i.isStaleEvent(p) || !i.source.countPacket(p.SequenceNumber) {
		return true
	}
	i.received++
	switch {
	case sound:
		i.takeSound(p, codec, at, late)
		i.events.endPress()
	case p.PayloadType == comfortNoise:
		i.discontinuous = true
		i.events.endPress()
	default:
		if key := i.events.pushPacket(p.Timestamp, p.Marker, p.Payload); key != 0 {
			i.keys.addPress(key, byEvent)
		}
	}
	return true
}

// isStaleEvent reports whether a telephone-event packet was delivered long after it was sent: it is behind by its
// sequence number, beyond reordering, and by its time stamp. A stream that begins anew may look so until its first
// sound.
func (i *mediaReceiver) isStaleEvent(p *rtp.Packet) bool {
	return i.source.isBehind(p.SequenceNumber) && i.clock.isBehind(p.Timestamp) && i.events.isBehind(p.Timestamp)
}

// takeSound handles a packet of sound.
func (i *mediaReceiver) takeSound(p *rtp.Packet, codec sdp.Codec, at time.Duration, late bool) {
	stamp := i.clock.countSlots(p.Timestamp, codec.ClockRate())
	i.source.measureJitter(stamp, at)
	if decoder := i.decoderOf(codec); decoder != nil {
		i.wide = isWideband(codec)
		i.jitter.pushPacket(stamp, p.Marker, late, p.Payload, decoder)
	}
}

// acceptSender reports whether the packet is from the current source (SSRC). Another one takes over after two
// consecutive packets: after a negotiation, or when the call is reconnected on the way.
func (i *mediaReceiver) acceptSender(p *rtp.Packet) bool {
	if i.source.known && p.SSRC == i.source.ssrc {
		i.others, i.acceptNewSSRC = 0, false
		return true
	}
	if p.SSRC != i.other {
		i.other, i.others = p.SSRC, 0
	}
	if i.others++; i.source.known && !i.acceptNewSSRC && i.others < settled {
		return false
	}
	i.source.beginSender(p.SSRC, p.SequenceNumber)
	i.jitter.running = false
	i.events.beginSender(p.SSRC)
	i.clock, i.decoders = stampClock{}, nil
	i.others, i.acceptNewSSRC = 0, false
	return true
}

// playFrame fills a frame with sound and keys.
func (i *mediaReceiver) playFrame(f *carrier.Frame) {
	i.playSound(f)
	i.events.countTick()
	if i.stream.Events == 0 {
		i.tones.hearFrame(f, &i.keys)
	}
	f.Digits = i.keys.takeKeys()
}

// playSound fills a frame with sound.
func (i *mediaReceiver) playSound(f *carrier.Frame) {
	clear(i.slots[:])
	i.jitter.pullFrame(i.slots[:])
	if !i.wide {
		for k, s := range i.slots {
			f.In[k] = s[0]
		}
		return
	}
	i.narrow.narrowSound(f.In[:], i.slots[:])
	f.Wide = new([2 * carrier.Samples]int16)
	for k, s := range i.slots {
		f.Wide[2*k], f.Wide[2*k+1] = s[0], s[1]
	}
}

// stampClock converts RTP time stamps to slots, across wraps. The zero value is ready.
type stampClock struct {
	known bool
	last  uint32
	total int64 // of last, without wraps
}

// isBehind reports whether a time stamp is earlier than the last one, or there is none.
func (c *stampClock) isBehind(stamp uint32) bool { return !c.known || int32(stamp-c.last) < 0 }

// countSlots returns a time stamp of a clock rate in slots.
func (c *stampClock) countSlots(stamp uint32, rate int) uint32 {
	if !c.known {
		*c = stampClock{known: true, last: stamp, total: 1<<32 + int64(stamp)}
	}
	c.total += int64(int32(stamp - c.last))
	c.last = stamp
	return uint32(c.total / int64(rate/carrier.Rate))
}
