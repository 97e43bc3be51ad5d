package realtime

import (
	"encoding/binary"

	"munadi/engine/audio"
)

// audioEncoding is the client's audio encoding, mono.
type audioEncoding struct {
	Kind string // audio/pcm (16 bits, little-endian), audio/pcmu, audio/pcma
	Rate int    // Hz
}

const (
	kindPCM  = "audio/pcm"
	kindPCMU = "audio/pcmu"
	kindPCMA = "audio/pcma"
)

// defaultEncoding returns the protocol's default.
func defaultEncoding() audioEncoding { return audioEncoding{Kind: kindPCM, Rate: 24000} }

// soundDecoder decodes a client's bytes into samples at 16 kHz. Chunks may split samples.
type soundDecoder struct {
	audioEncoding
	resampler *audio.StreamResampler
	half      []byte // of a sample
	samples   []float32
}

func newSound(e audioEncoding) *soundDecoder {
	return &soundDecoder{audioEncoding: e, resampler: audio.NewResampler(e.Rate, audio.Rate)}
}

// samplesOf returns the number of samples in n bytes, rounded up.
func (s *soundDecoder) samplesOf(size int64) int {
	width := int64(1)
	if s.Kind == kindPCM {
		width = 2
	}
	return int((size/width+1)*audio.Rate/int64(s.Rate)) + 1
}

// appendSamples decodes raw and appends to dst.
func (s *soundDecoder) appendSamples(dst []float32, raw []byte) []float32 {
	s.samples = s.samples[:0]
	switch s.Kind {
	case kindPCMU:
		for _, b := range raw {
			s.samples = append(s.samples, float32(audio.DecodeMuLaw(b))/32768)
		}
	case kindPCMA:
		for _, b := range raw {
			s.samples = append(s.samples, float32(audio.DecodeALaw(b))/32768)
		}
	default:
		s.appendPCM(raw)
	}
	return s.resampler.Push(dst, s.samples)
}

func (s *soundDecoder) appendPCM(raw []byte) {
	if len(s.half) > 0 && len(raw) > 0 {
		s.samples = append(s.samples, pcmSample([]byte{s.half[0], raw[0]}))
		s.half, raw = s.half[:0], raw[1:]
	}
	for ; len(raw) > 1; raw = raw[2:] {
		s.samples = append(s.samples, pcmSample(raw))
	}
	s.half = append(s.half, raw...)
}

// dropHalf discards an incomplete sample at the end of a buffer, so that the next buffer is not shifted by a byte.
func (s *soundDecoder) dropHalf() { s.half = s.half[:0] }

func pcmSample(b []byte) float32 { return float32(int16(binary.LittleEndian.Uint16(b))) / 32768 }
