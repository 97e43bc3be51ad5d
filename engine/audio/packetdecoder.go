package audio

import (
	"encoding/binary"
	"strings"

	"munadi/engine/audio/internal/xiph"
)

// packetDecoder turns the packets of one logical stream into mono samples.
type packetDecoder interface {
	// parseHeader parses the next header packet; done if audio packets follow it.
	parseHeader(packet []byte) (done bool, err error)
	// decodePacket returns mono samples that are valid until the next call.
	decodePacket(packet []byte) ([]float32, error)
	soundFormat(container string) SoundFormat
	sampleRate() int    // of the samples
	delaySamples() int  // samples to drop at the beginning
	granuleUnit() int64 // granule positions per sample
	close()
}

// codecOf identifies a stream by its first packet; nil if the codec is not supported.
func codecOf(first []byte, channel ChannelChoice) packetDecoder {
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
	channel ChannelChoice
	layout  xiph.OpusLayout
	input   int // sample rate before encoding, a hint
	skip    int // at 48 kHz
	opus    *xiph.OpusDecoder
}

// opusUnit is the number of granule positions per output sample: they count at 48 kHz.
const opusUnit = 48000 / xiph.OpusRate

func (d *opusDecoder) parseHeader(packet []byte) (done bool, err error) {
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
	if err := d.parseChannelMapping(packet); err != nil {
		return false, err
	}
	d.opus, err = xiph.NewOpus(d.layout)
	return false, err
}

// parseChannelMapping reads the channel mapping table (RFC 7845 §5.1.1).
func (d *opusDecoder) parseChannelMapping(packet []byte) error {
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

func (d *opusDecoder) decodePacket(packet []byte) ([]float32, error) {
	pcm, err := d.opus.DecodePacket(packet)
	return d.channel.pickChannel(pcm, d.layout.Channels), err
}

func (d *opusDecoder) soundFormat(container string) SoundFormat {
	rate := d.input
	if rate == 0 {
		rate = 48000
	}
	return SoundFormat{Container: container, Codec: "Opus", Rate: rate, Channels: d.layout.Channels}
}

func (d *opusDecoder) sampleRate() int    { return xiph.OpusRate }
func (d *opusDecoder) delaySamples() int  { return d.skip / opusUnit }
func (d *opusDecoder) granuleUnit() int64 { return opusUnit }

func (d *opusDecoder) close() {
	if d.opus != nil {
		d.opus.Close()
	}
}

// vorbisDecoder decodes Vorbis I.
type vorbisDecoder struct {
	channel ChannelChoice
	id      []byte
	headers int
	vorbis  *xiph.VorbisDecoder
}

func (d *vorbisDecoder) parseHeader(packet []byte) (done bool, err error) {
	d.headers++
	switch d.headers {
	case 1:
		d.id = append([]byte(nil), packet...)
	case 3:
		d.vorbis, err = xiph.NewVorbis(d.id, packet)
	}
	return d.headers == 3, err
}

func (d *vorbisDecoder) decodePacket(packet []byte) ([]float32, error) {
	if len(packet) == 0 {
		return nil, nil // allowed, without samples
	}
	return d.vorbis.DecodePacket(packet, d.channel.channelIndex(d.vorbis.Channels))
}

func (d *vorbisDecoder) soundFormat(container string) SoundFormat {
	return SoundFormat{Container: container, Codec: "Vorbis", Rate: d.vorbis.Rate, Channels: d.vorbis.Channels}
}

func (d *vorbisDecoder) sampleRate() int    { return d.vorbis.Rate }
func (d *vorbisDecoder) delaySamples() int  { return 0 }
func (d *vorbisDecoder) granuleUnit() int64 { return 1 }

func (d *vorbisDecoder) close() {
	if d.vorbis != nil {
		d.vorbis.Close()
	}
}
