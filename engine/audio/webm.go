package audio

import (
	"errors"
	"io"

	"munadi/engine/audio/internal/webm"
)

// decodeWebM decodes the first supported audio track of a WebM or Matroska file; it runs in the child.
func decodeWebM(r io.Reader, out sampleSink, channel ChannelChoice) error {
	file, err := webm.OpenReader(r)
	if err != nil {
		return childFault(err)
	}
	track, codec, err := chooseTrack(file.Tracks, channel)
	if err != nil {
		return childFault(err)
	}
	defer codec.close()
	file.ChooseTrack(track.Number)
	d := &webmDecoder{file: file, codec: codec, out: out, drop: codec.delaySamples()}
	if d.drop == 0 {
		d.drop = nanosToSamples(int64(track.Delay), codec.sampleRate())
	}
	if err := out.writeFormat(codec.soundFormat("WebM"), codec.sampleRate()); err != nil {
		return err
	}
	for err == nil {
		err = d.decodeFrame()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return childFault(err)
}

type webmDecoder struct {
	file  *webm.WebMReader
	codec packetDecoder
	out   sampleSink
	drop  int // samples still to drop at the beginning
}

func (d *webmDecoder) decodeFrame() error {
	f, err := d.file.Next()
	if err != nil {
		return err
	}
	pcm, err := d.codec.decodePacket(f.Data)
	if err != nil {
		return err
	}
	pcm = pcm[:len(pcm)-min(len(pcm), nanosToSamples(f.Discard, d.codec.sampleRate()))]
	cut := min(d.drop, len(pcm))
	d.drop -= cut
	return d.out.writeSamples(pcm[cut:])
}

// nanosToSamples converts nanoseconds to samples, rounded, at most a minute.
func nanosToSamples(ns int64, rate int) int {
	ns = max(0, min(ns, 60e9))
	return int((ns*int64(rate) + 5e8) / 1e9)
}

// chooseTrack returns the first audio track with a supported codec, and its decoder.
func chooseTrack(tracks []webm.AudioTrack, channel ChannelChoice) (webm.AudioTrack, packetDecoder, error) {
	name := "WebM without an audio track"
	for _, t := range tracks {
		name = "WebM with a codec other than Opus and Vorbis"
		var codec packetDecoder
		var headers [][]byte
		switch {
		case t.Encoded:
			continue
		case t.Codec == "A_OPUS":
			codec, headers = &opusDecoder{channel: channel}, [][]byte{t.Private}
		case t.Codec == "A_VORBIS":
			codec, headers = &vorbisDecoder{channel: channel}, splitLacing(t.Private)
		default:
			continue
		}
		for _, h := range headers {
			if _, err := codec.parseHeader(h); err != nil {
				codec.close()
				return t, nil, err
			}
		}
		return t, codec, nil
	}
	return webm.AudioTrack{}, nil, &foreignCodec{name}
}

// splitLacing splits the three Vorbis headers of a Matroska CodecPrivate element; invalid ones are empty.
func splitLacing(b []byte) [][]byte {
	headers := make([][]byte, 3)
	if len(b) == 0 || b[0] != 2 {
		return headers
	}
	b = b[1:]
	var sizes [2]int
	for i := range sizes {
		for len(b) > 0 {
			c := b[0]
			sizes[i], b = sizes[i]+int(c), b[1:]
			if c < 255 {
				break
			}
		}
	}
	if sizes[0]+sizes[1] > len(b) {
		return headers
	}
	headers[0], headers[1] = b[:sizes[0]], b[sizes[0]:sizes[0]+sizes[1]]
	headers[2] = b[sizes[0]+sizes[1]:]
	return headers
}
