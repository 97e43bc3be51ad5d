package media

import (
	"math"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// soundEncoder encodes the frames of one codec.
type soundEncoder interface {
	// encodeFrame encodes a frame into dst, and returns the packet's length; 0: nothing to send.
	encodeFrame(dst []byte, f *spokenFrame) int
}

// newEncoder returns the encoder of a codec at the beginning of a stream.
func newEncoder(c sdp.Codec) (soundEncoder, error) {
	switch c {
	case sdp.G722:
		return &g722Encoder{g722: audio.NewG722Encoder()}, nil
	case sdp.Opus:
		e, err := audio.NewOpusLineEncoder()
		return &opusEncoder{opus: e}, err
	case sdp.PCMU:
		return lawEncoder(audio.EncodeMuLaw), nil
	default:
		return lawEncoder(audio.EncodeALaw), nil
	}
}

// lawEncoder encodes G.711.
type lawEncoder func(int16) byte

func (encode lawEncoder) encodeFrame(dst []byte, f *spokenFrame) int {
	for i, v := range f.pcm {
		dst[i] = encode(v)
	}
	return len(f.pcm)
}

// wideMixer joins the wideband and the narrowband sound of frames. The zero value is ready.
type wideMixer struct {
	widen bandFilter
	wide  [2 * carrier.Samples]int16
}

// mixFrame returns the frame at 16000 samples per second, valid until the next call.
func (m *wideMixer) mixFrame(f *spokenFrame) []int16 {
	m.widen.widenSound(m.wide[:], f.plain[:])
	for i, v := range f.wide {
		m.wide[i] = int16(min(max(int(m.wide[i])+int(v), math.MinInt16), math.MaxInt16))
	}
	return m.wide[:]
}

// g722Encoder encodes G.722.
type g722Encoder struct {
	g722 *audio.G722Encoder
	wideMixer
}

func (e *g722Encoder) encodeFrame(dst []byte, f *spokenFrame) int {
	return len(e.g722.EncodeSamples(dst[:0], e.mixFrame(f)))
}

// opusEncoder encodes Opus.
type opusEncoder struct {
	opus *audio.OpusLineEncoder
	wideMixer
}

func (e *opusEncoder) encodeFrame(dst []byte, f *spokenFrame) int {
	n, err := e.opus.EncodeFrame(dst, e.mixFrame(f))
	if err != nil {
		return 0
	}
	return n
}
