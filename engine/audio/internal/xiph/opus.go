// Package xiph calls the C codecs libopus and libvorbis (Xiph.Org, BSD licence), linked statically. It works on whole
// packets, independent of containers. Its decoders must run only in a process that may crash: the bytes are untrusted.
package xiph

/*
#cgo LDFLAGS: -l:libopus.a -lm
#include <opus/opus_multistream.h>

static int set_gain(OpusMSDecoder *d, int gain) { return opus_multistream_decoder_ctl(d, OPUS_SET_GAIN(gain)); }
*/
import "C"

import (
	"errors"
	"unsafe"
)

// OpusRate is the output rate of Opus decoding, in samples per second; libopus resamples.
const OpusRate = 16000

// maxOpusFrames is the longest packet, 120 ms.
const maxOpusFrames = OpusRate * 120 / 1000

// ErrPacket means that a packet is invalid for its codec.
var ErrPacket = errors.New("xiph: invalid packet")

// OpusLayout maps the coded streams of an Opus recording to channels (RFC 7845 §5.1.1).
type OpusLayout struct {
	Channels, Streams, Coupled int
	Mapping                    []byte // [Channels]
	Gain                       int    // to apply to the output, 1/256 dB
}

// OpusDecoder is a libopus decoder.
type OpusDecoder struct {
	c        *C.OpusMSDecoder
	channels int
	pcm      []float32 // [maxOpusFrames × channels]
}

// NewOpus returns a decoder; Close frees it.
func NewOpus(l OpusLayout) (*OpusDecoder, error) {
	if l.Channels < 1 || l.Channels > 255 || len(l.Mapping) != l.Channels || l.Streams < 1 || l.Streams > 255 ||
		l.Coupled < 0 || l.Coupled > l.Streams || l.Streams+l.Coupled > 255 {
		return nil, ErrPacket
	}
	var code C.int
	mapping := (*C.uchar)(unsafe.Pointer(&l.Mapping[0]))
	c := C.opus_multistream_decoder_create(OpusRate, C.int(l.Channels), C.int(l.Streams), C.int(l.Coupled), mapping, &code)
	if c == nil || code != C.OPUS_OK {
		return nil, ErrPacket
	}
	if l.Gain != 0 && C.set_gain(c, C.int(l.Gain)) != C.OPUS_OK {
		C.opus_multistream_decoder_destroy(c)
		return nil, ErrPacket
	}
	return &OpusDecoder{c: c, channels: l.Channels, pcm: make([]float32, maxOpusFrames*l.Channels)}, nil
}

// DecodePacket returns the interleaved samples of one packet at OpusRate, valid until the next call.
func (o *OpusDecoder) DecodePacket(packet []byte) ([]float32, error) {
	if len(packet) == 0 {
		return nil, ErrPacket
	}
	data := (*C.uchar)(unsafe.Pointer(&packet[0]))
	pcm := (*C.float)(unsafe.Pointer(&o.pcm[0]))
	n := C.opus_multistream_decode_float(o.c, data, C.opus_int32(len(packet)), pcm, maxOpusFrames, 0)
	if n < 0 {
		return nil, ErrPacket
	}
	return o.pcm[:int(n)*o.channels], nil
}

// Close frees the decoder.
func (o *OpusDecoder) Close() {
	C.opus_multistream_decoder_destroy(o.c)
	o.c = nil
}
