package audio

import (
	"errors"
	"runtime"

	"github.com/pion/opus"

	"munadi/engine/audio/internal/xiph"
)

// OpusLineRate is the sample rate of Opus on a telephone line, in samples per second.
const OpusLineRate = xiph.OpusRate

// maxOpusLine is the longest packet, 120 ms, in samples.
const maxOpusLine = OpusLineRate * 120 / 1000

// OpusLineDecoder decodes the Opus packets of a telephone line. It uses a decoder in Go, unlike recordings, because
// untrusted packets are decoded in the appliance's own process.
type OpusLineDecoder struct {
	opus opus.Decoder
	pcm  [maxOpusLine]int16
}

// NewOpusLineDecoder returns a decoder at the beginning of a stream.
func NewOpusLineDecoder() (*OpusLineDecoder, error) {
	d := &OpusLineDecoder{}
	return d, d.opus.Init(OpusLineRate, 1)
}

// DecodePacket returns the samples of a packet, valid until the next call. A panic caused by a malformed packet becomes
// an error.
func (d *OpusLineDecoder) DecodePacket(packet []byte) (pcm []int16, err error) {
	defer func() {
		if recover() != nil {
			pcm, err = nil, errOpusPacket
		}
	}()
	n, err := d.opus.DecodeToInt16(packet, d.pcm[:])
	if err != nil || n < 0 || n > len(d.pcm) {
		return nil, errOpusPacket
	}
	return d.pcm[:n], nil
}

var errOpusPacket = errors.New("audio: malformed Opus packet")

// OpusLineEncoder encodes voice for a telephone line.
type OpusLineEncoder struct{ opus *xiph.OpusEncoder }

// NewOpusLineEncoder returns an encoder at the beginning of a stream.
func NewOpusLineEncoder() (*OpusLineEncoder, error) {
	c, err := xiph.NewOpusEncoder()
	if err != nil {
		return nil, err
	}
	e := &OpusLineEncoder{c}
	runtime.AddCleanup(e, func(c *xiph.OpusEncoder) { c.Close() }, c)
	return e, nil
}

// EncodeFrame encodes 20 ms of samples into dst and returns the length of the packet.
func (e *OpusLineEncoder) EncodeFrame(dst []byte, pcm []int16) (int, error) {
	n, err := e.opus.EncodeFrame(dst, pcm)
	runtime.KeepAlive(e)
	return n, err
}

// OpusDuration returns the duration of an Opus packet by its first bytes (RFC 6716 §3.1), in samples at rate; 0 for a
// malformed packet.
func OpusDuration(packet []byte, rate int) int {
	if len(packet) == 0 {
		return 0
	}
	frames := 1
	switch packet[0] & 3 {
	case 1, 2:
		frames = 2
	case 3:
		if len(packet) < 2 {
			return 0
		}
		frames = int(packet[1] & 63)
	}
	samples := frames * opusFrameMicros(packet[0]>>3) * (rate / 400) / 2500
	if samples > rate*120/1000 {
		return 0
	}
	return samples
}

// opusFrameMicros returns the duration of a configuration's frames, in microseconds (RFC 6716, table 2).
func opusFrameMicros(configuration byte) int {
	switch {
	case configuration < 12: // SILK
		return []int{10_000, 20_000, 40_000, 60_000}[configuration&3]
	case configuration < 16: // hybrid
		return []int{10_000, 20_000}[configuration&1]
	default: // CELT
		return 2500 << (configuration & 3)
	}
}
