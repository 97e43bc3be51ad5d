package media

import (
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// soundEncoder encodes the frames of one codec.
type soundEncoder interface {
	// encodeFrame encodes a frame at [carrier.Rate] into dst, and returns the packet's length; 0: nothing to send.
	encodeFrame(dst []byte, pcm []int16) int
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

func (encode lawEncoder) encodeFrame(dst []byte, pcm []int16) int {
	for i, v := range pcm {
		dst[i] = encode(v)
	}
	return len(pcm)
}

// g722Encoder encodes G.722.
type g722Encoder struct {
	g722  *audio.G722Encoder
	widen bandFilter
	wide  [2 * carrier.Samples]int16
}

func (e *g722Encoder) encodeFrame(dst []byte, pcm []int16) int {
	e.widen.widenSound(e.wide[:], pcm)
	return len(e.g722.EncodeSamples(dst[:0], e.wide[:]))
}

// opusEncoder encodes Opus.
type opusEncoder struct {
	opus  *audio.OpusLineEncoder
	widen bandFilter
	wide  [2 * carrier.Samples]int16
}

func (e *opusEncoder) encodeFrame(dst []byte, pcm []int16) int {
	e.widen.widenSound(e.wide[:], pcm)
	n, err := e.opus.EncodeFrame(dst, e.wide[:])
	if err != nil {
		return 0
	}
	return n
}
