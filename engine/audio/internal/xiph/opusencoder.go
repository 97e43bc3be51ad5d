package xiph

/*
#include <opus/opus.h>

// configure_encoder configures an encoder for a telephone line: voice, with in-band forward error correction.
static int configure_encoder(OpusEncoder *e, int bitrate) {
	int bad = opus_encoder_ctl(e, OPUS_SET_BITRATE(bitrate));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_COMPLEXITY(5));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_INBAND_FEC(1));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_PACKET_LOSS_PERC(5));
	return bad;
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// voiceBitrate is the bit rate of wideband voice, in bit/s (RFC 7587 §3.1.1: 16 to 20 kbit/s; more with FEC).
const voiceBitrate = 28000

// errEncoder means that libopus returned an error, which it does not for valid arguments.
var errEncoder = errors.New("xiph: libopus cannot encode")

// OpusEncoder is a libopus encoder of mono voice at [OpusRate]. Unlike the decoders it may run in any process: its
// input is trusted.
type OpusEncoder struct {
	c *C.OpusEncoder
}

// NewOpusEncoder returns an encoder; Close frees it.
func NewOpusEncoder() (*OpusEncoder, error) {
	var code C.int
	c := C.opus_encoder_create(OpusRate, 1, C.OPUS_APPLICATION_VOIP, &code)
	if c == nil || code != C.OPUS_OK {
		return nil, errEncoder
	}
	if C.configure_encoder(c, voiceBitrate) != C.OPUS_OK {
		C.opus_encoder_destroy(c)
		return nil, errEncoder
	}
	return &OpusEncoder{c: c}, nil
}

// EncodeFrame encodes a frame of 10, 20, 40 or 60 ms into dst, and returns the packet's length.
func (o *OpusEncoder) EncodeFrame(dst []byte, pcm []int16) (int, error) {
	if len(dst) == 0 || len(pcm) == 0 {
		return 0, errEncoder
	}
	in, out := (*C.opus_int16)(unsafe.Pointer(&pcm[0])), (*C.uchar)(unsafe.Pointer(&dst[0]))
	n := C.opus_encode(o.c, in, C.int(len(pcm)), out, C.opus_int32(len(dst)))
	if n < 0 {
		return 0, errEncoder
	}
	return int(n), nil
}

// Close frees the encoder.
func (o *OpusEncoder) Close() {
	C.opus_encoder_destroy(o.c)
	o.c = nil
}
