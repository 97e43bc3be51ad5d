package media

import (
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// soundSlot is the sound of 1/8000 s: two samples at 16000 samples per second. A narrowband codec gives the same sample
// twice.
type soundSlot [2]int16

// isWideband reports whether a codec carries 16000 samples per second.
func isWideband(c sdp.Codec) bool { return c == sdp.G722 || c == sdp.Opus }

// soundDecoder decodes the packets of one codec.
type soundDecoder interface {
	// countSlots returns how long a packet's sound is; 0 for a malformed packet.
	countSlots(payload []byte) int
	// needsOrder reports whether packets must be decoded in the order of their time stamps.
	needsOrder() bool
	// decodeSound returns the sound of a packet, valid until the next call.
	decodeSound(payload []byte) []soundSlot
}

// newDecoder returns the decoder of a codec at the beginning of a stream.
func newDecoder(c sdp.Codec) (soundDecoder, error) {
	switch c {
	case sdp.G722:
		return &g722Decoder{g722: audio.NewG722Decoder()}, nil
	case sdp.Opus:
		d, err := audio.NewOpusLineDecoder()
		return &opusDecoder{opus: d}, err
	case sdp.PCMU:
		return &lawDecoder{table: muLaw}, nil
	default:
		return &lawDecoder{table: aLaw}, nil
	}
}

var (
	aLaw  = decodeTable(audio.DecodeALaw)
	muLaw = decodeTable(audio.DecodeMuLaw)
)

func decodeTable(decode func(byte) int16) *[256]int16 {
	var t [256]int16
	for i := range t {
		t[i] = decode(byte(i))
	}
	return &t
}

// lawDecoder decodes G.711, one byte a slot.
type lawDecoder struct {
	table *[256]int16
	slots []soundSlot
}

func (d *lawDecoder) countSlots(payload []byte) int { return len(payload) }
func (d *lawDecoder) needsOrder() bool              { return false }

func (d *lawDecoder) decodeSound(payload []byte) []soundSlot {
	d.slots = d.slots[:0]
	for _, b := range payload {
		d.slots = append(d.slots, soundSlot{d.table[b], d.table[b]})
	}
	return d.slots
}

// g722Decoder decodes G.722, one byte a slot: its RTP clock is 8000 (RFC 3551 §4.5.2).
type g722Decoder struct {
	g722  *audio.G722Decoder
	pcm   []int16
	slots []soundSlot
}

func (d *g722Decoder) countSlots(payload []byte) int { return len(payload) }
func (d *g722Decoder) needsOrder() bool              { return true }

func (d *g722Decoder) decodeSound(payload []byte) []soundSlot {
	d.pcm = d.g722.DecodeBytes(d.pcm[:0], payload)
	d.slots = slotsOf(d.slots[:0], d.pcm)
	return d.slots
}

// opusDecoder decodes Opus (RFC 7587).
type opusDecoder struct {
	opus  *audio.OpusLineDecoder
	slots []soundSlot
}

func (d *opusDecoder) countSlots(payload []byte) int {
	return audio.OpusDuration(payload, carrier.Rate)
}
func (d *opusDecoder) needsOrder() bool { return true }

func (d *opusDecoder) decodeSound(payload []byte) []soundSlot {
	pcm, err := d.opus.DecodePacket(payload)
	if err != nil {
		return nil
	}
	d.slots = slotsOf(d.slots[:0], pcm)
	return d.slots
}

// slotsOf appends samples at 16000 per second as slots.
func slotsOf(dst []soundSlot, pcm []int16) []soundSlot {
	for i := 0; i+1 < len(pcm); i += 2 {
		dst = append(dst, soundSlot{pcm[i], pcm[i+1]})
	}
	return dst
}
