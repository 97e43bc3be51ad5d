package xiph

/*
#include <opus/opus.h>

// configure_encoder configures an encoder of voice; loss is the share of packets, in percent, that in-band forward
// error correction allows for.
static int configure_encoder(OpusEncoder *e, int bitrate, int loss) {
	int bad = opus_encoder_ctl(e, OPUS_SET_BITRATE(bitrate));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_COMPLEXITY(5));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_INBAND_FEC(loss > 0));
	if (!bad) bad = opus_encoder_ctl(e, OPUS_SET_PACKET_LOSS_PERC(loss));
	return bad;
}

static int lookahead(OpusEncoder *e) {
	opus_int32 n = 0;
	return opus_encoder_ctl(e, OPUS_GET_LOOKAHEAD(&n)) ? 0 : n;
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// voiceBitrate is the bit rate of wideband voice, in bit/s (RFC 7587 §3.1.1: 16 to 20 kbit/s; more with FEC).
const voiceBitrate = 28000

// lineLoss is the loss of packets on a telephone line, in percent.
const lineLoss = 5

// errEncoder means that libopus returned an error, which it does not for valid arguments.
var errEncoder = errors.New("xiph: libopus cannot encode")

// OpusEncoder is a libopus encoder of mono voice. Unlike the decoders it may run in any process: its
// input is trusted.
type OpusEncoder struct {
	c *C.OpusEncoder
}

// NewOpusEncoder returns an encoder at [OpusRate] for a line that loses packets; Close frees it.
func NewOpusEncoder() (*OpusEncoder, error) {
	return newOpusEncoder(OpusRate, C.OPUS_APPLICATION_VOIP, lineLoss)
}

// NewOpusFileEncoder returns an encoder for a file; Close frees it.
func NewOpusFileEncoder(rate int) (*OpusEncoder, error) {
	return newOpusEncoder(rate, C.OPUS_APPLICATION_AUDIO, 0)
}

func newOpusEncoder(rate int, application C.int, loss int) (*OpusEncoder, error) {
	var code C.int
	c := C.opus_encoder_create(C.opus_int32(rate), 1, application, &code)
	if c == nil || code != C.OPUS_OK {
		return nil, errEncoder
	}
	if C.configure_encoder(c, voiceBitrate, C.int(loss)) != C.OPUS_OK {
		C.opus_encoder_destroy(c)
		return nil, errEncoder
	}
	return &OpusEncoder{c: c}, nil
}

// Lookahead returns the encoder's delay, in samples.
func (o *OpusEncoder) Lookahead() int { return int(C.lookahead(o.c)) }

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
