package audio

import (
	"encoding/binary"
	"strings"

	"munadi/engine/audio/internal/xiph"
)

// packetDecoder turns the packets of one logical stream into mono samples.
type packetDecoder interface {
	// header takes the next header packet, and says whether sound follows it.
	header(packet []byte) (done bool, err error)
	// decode returns mono samples that are valid until the next call.
	decode(packet []byte) ([]float32, error)
	format(container string) Format
	rate() int   // of the samples
	delay() int  // samples to drop at the beginning
	unit() int64 // granule positions per sample
	close()
}

// codecOf knows a stream by its first packet; nil if it is not ours.
func codecOf(first []byte, channel Channel) packetDecoder {
	switch {
	case strings.HasPrefix(string(first), "OpusHead"):
		return &opusDecoder{channel: channel}
	case strings.HasPrefix(string(first), "\x01vorbis"):
		return &vorbisDecoder{channel: channel}
	}
	return nil
}

// opusDecoder decodes Opus (RFC 6716, RFC 7845).
type opusDecoder struct {
	channel Channel
	layout  xiph.OpusLayout
	input   int // sample rate before encoding, a hint
	skip    int // at 48 kHz
	opus    *xiph.Opus
}

// opusUnit: granule positions count at 48 kHz.
const opusUnit = 48000 / xiph.OpusRate

func (d *opusDecoder) header(packet []byte) (done bool, err error) {
	if d.opus != nil {
		return true, nil // the comments
	}
	if len(packet) < 19 || packet[8]&0xf0 != 0 || packet[9] == 0 {
		return false, xiph.ErrPacket
	}
	d.skip = int(binary.LittleEndian.Uint16(packet[10:]))
	d.input = int(binary.LittleEndian.Uint32(packet[12:]))
	d.layout.Channels = int(packet[9])
	d.layout.Gain = int(int16(binary.LittleEndian.Uint16(packet[16:])))
	if err := d.streams(packet); err != nil {
		return false, err
	}
	d.opus, err = xiph.NewOpus(d.layout)
	return false, err
}

// streams reads the channel mapping table (RFC 7845 §5.1.1).
func (d *opusDecoder) streams(packet []byte) error {
	l := &d.layout
	if packet[18] == 0 {
		if l.Channels > 2 {
			return xiph.ErrPacket
		}
		l.Streams, l.Coupled, l.Mapping = 1, l.Channels-1, []byte{0, 1}[:l.Channels]
		return nil
	}
	if len(packet) < 21+l.Channels {
		return xiph.ErrPacket
	}
	l.Streams, l.Coupled, l.Mapping = int(packet[19]), int(packet[20]), packet[21:21+l.Channels]
	return nil
}

func (d *opusDecoder) decode(packet []byte) ([]float32, error) {
	pcm, err := d.opus.Decode(packet)
	return d.channel.pick(pcm, d.layout.Channels), err
}

func (d *opusDecoder) format(container string) Format {
	rate := d.input
	if rate == 0 {
		rate = 48000
	}
	return Format{Container: container, Codec: "Opus", Rate: rate, Channels: d.layout.Channels}
}

func (d *opusDecoder) rate() int   { return xiph.OpusRate }
func (d *opusDecoder) delay() int  { return d.skip / opusUnit }
func (d *opusDecoder) unit() int64 { return opusUnit }

func (d *opusDecoder) close() {
	if d.opus != nil {
		d.opus.Close()
	}
}

// vorbisDecoder decodes Vorbis I.
type vorbisDecoder struct {
	channel Channel
	id      []byte
	headers int
	vorbis  *xiph.Vorbis
}

func (d *vorbisDecoder) header(packet []byte) (done bool, err error) {
	d.headers++
	switch d.headers {
	case 1:
		d.id = append([]byte(nil), packet...)
	case 3:
		d.vorbis, err = xiph.NewVorbis(d.id, packet)
	}
	return d.headers == 3, err
}

func (d *vorbisDecoder) decode(packet []byte) ([]float32, error) {
	if len(packet) == 0 {
		return nil, nil // allowed, and means nothing
	}
	return d.vorbis.Decode(packet, d.channel.index(d.vorbis.Channels))
}

func (d *vorbisDecoder) format(container string) Format {
	return Format{Container: container, Codec: "Vorbis", Rate: d.vorbis.Rate, Channels: d.vorbis.Channels}
}

func (d *vorbisDecoder) rate() int   { return d.vorbis.Rate }
func (d *vorbisDecoder) delay() int  { return 0 }
func (d *vorbisDecoder) unit() int64 { return 1 }

func (d *vorbisDecoder) close() {
	if d.vorbis != nil {
		d.vorbis.Close()
	}
}
