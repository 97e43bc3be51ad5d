package audio_test

import (
	"testing"

	"munadi/engine/audio"
)

// TestG711Codewords checks values of ITU-T G.711, tables 1 and 2.
func TestG711Codewords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		law  string
		got  int16
		want int16
	}{
		{"A", audio.DecodeALaw(0xd5), 8},
		{"A", audio.DecodeALaw(0x55), -8},
		{"A", audio.DecodeALaw(0xaa), 32256},
		{"A", audio.DecodeALaw(0x2a), -32256},
		{"µ", audio.DecodeMuLaw(0xff), 0},
		{"µ", audio.DecodeMuLaw(0x7f), 0},
		{"µ", audio.DecodeMuLaw(0x80), 32124},
		{"µ", audio.DecodeMuLaw(0x00), -32124},
	} {
		if tt.got != tt.want {
			t.Errorf("%s-law: got %d, want %d", tt.law, tt.got, tt.want)
		}
	}
}

// TestG711Nearest: each byte is unchanged by decoding and encoding, and no sample is off by more than half a step, 1/32
// of its value.
func TestG711Nearest(t *testing.T) {
	t.Parallel()
	for name, law := range map[string]struct {
		decode func(byte) int16
		encode func(int16) byte
	}{"A": {audio.DecodeALaw, audio.EncodeALaw}, "µ": {audio.DecodeMuLaw, audio.EncodeMuLaw}} {
		for b := range 256 {
			if v := law.decode(byte(b)); law.decode(law.encode(v)) != v {
				t.Errorf("%s-law: byte %#x becomes %#x", name, b, law.encode(v))
			}
		}
		for v := -32768; v <= 32767; v += 7 {
			if off := signalDistance(v, law.decode(law.encode(int16(v)))); off > (signalDistance(v, 0)+132)/32+8 {
				t.Fatalf("%s-law: %d is coded %d off", name, v, off)
			}
		}
	}
}

func signalDistance(v int, w int16) int {
	if d := v - int(w); d >= 0 {
		return d
	}
	return int(w) - v
}
