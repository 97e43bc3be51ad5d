package xiph

/*
#cgo LDFLAGS: -l:libvorbis.a -l:libogg.a -lm
#include <stdlib.h>
#include <vorbis/codec.h>

typedef struct {
	vorbis_info info;
	vorbis_comment comment;
	vorbis_dsp_state dsp;
	vorbis_block block;
	int headers, ready;
} vorbis;

static vorbis *vorbis_new(void) {
	vorbis *v = calloc(1, sizeof *v);
	if (v) {
		vorbis_info_init(&v->info);
		vorbis_comment_init(&v->comment);
	}
	return v;
}

static void vorbis_free(vorbis *v) {
	if (v->ready) {
		vorbis_block_clear(&v->block);
		vorbis_dsp_clear(&v->dsp);
	}
	vorbis_comment_clear(&v->comment);
	vorbis_info_clear(&v->info);
	free(v);
}

static int vorbis_header(vorbis *v, unsigned char *data, long size) {
	ogg_packet p = {data, size, v->headers == 0, 0, 0, v->headers};
	int code = vorbis_synthesis_headerin(&v->info, &v->comment, &p);
	v->headers++;
	return code;
}

static int vorbis_start(vorbis *v) {
	int code = vorbis_synthesis_init(&v->dsp, &v->info);
	if (code)
		return code;
	v->ready = 1;
	return vorbis_block_init(&v->dsp, &v->block);
}

static int vorbis_feed(vorbis *v, unsigned char *data, long size) {
	ogg_packet p = {data, size, 0, 0, -1, v->headers++};
	int code = vorbis_synthesis(&v->block, &p);
	return code ? code : vorbis_synthesis_blockin(&v->dsp, &v->block);
}

// vorbis_take writes the samples of one channel, or the mean of all (channel -1), and returns their number.
static int vorbis_take(vorbis *v, int channel, float *out, int room) {
	float **pcm;
	int n = vorbis_synthesis_pcmout(&v->dsp, &pcm);
	int from = channel < 0 ? 0 : channel, to = channel < 0 ? v->info.channels : channel + 1;
	if (n > room)
		n = room;
	for (int i = 0; i < n; i++) {
		float sum = 0;
		for (int c = from; c < to; c++)
			sum += pcm[c][i];
		out[i] = sum / (to - from);
	}
	vorbis_synthesis_read(&v->dsp, n);
	return n;
}
*/
import "C"

import "unsafe"

// maxVorbisFrames bounds the frames of one packet: half of two blocks of 8192.
const maxVorbisFrames = 8192

// VorbisDecoder is a libvorbis decoder whose output is mono.
type VorbisDecoder struct {
	Rate, Channels int

	c   *C.vorbis
	pcm []float32
}

// NewVorbis returns a decoder for the identification and setup headers of a stream; Close frees it. The unused comment
// header is replaced by an empty one, so that it is not parsed.
func NewVorbis(id, setup []byte) (*VorbisDecoder, error) {
	c := C.vorbis_new()
	if c == nil {
		return nil, ErrPacket
	}
	v := &VorbisDecoder{c: c, pcm: make([]float32, maxVorbisFrames)}
	comment := []byte("\x03vorbis\x00\x00\x00\x00\x00\x00\x00\x00\x01")
	for _, header := range [][]byte{id, comment, setup} {
		if len(header) == 0 || C.vorbis_header(c, bytesOf(header), C.long(len(header))) != 0 {
			v.Close()
			return nil, ErrPacket
		}
	}
	if C.vorbis_start(c) != 0 {
		v.Close()
		return nil, ErrPacket
	}
	v.Rate, v.Channels = int(c.info.rate), int(c.info.channels)
	return v, nil
}

// DecodePacket returns the samples that one packet completes, valid until the next call: those of the channel of that
// index (0 to Channels-1), or the mean of all (-1).
func (v *VorbisDecoder) DecodePacket(packet []byte, channel int) ([]float32, error) {
	if len(packet) == 0 || C.vorbis_feed(v.c, bytesOf(packet), C.long(len(packet))) != 0 {
		return nil, ErrPacket
	}
	n := C.vorbis_take(v.c, C.int(channel), (*C.float)(unsafe.Pointer(&v.pcm[0])), maxVorbisFrames)
	return v.pcm[:n], nil
}

// Close frees the decoder.
func (v *VorbisDecoder) Close() {
	C.vorbis_free(v.c)
	v.c = nil
}

func bytesOf(b []byte) *C.uchar { return (*C.uchar)(unsafe.Pointer(&b[0])) }
