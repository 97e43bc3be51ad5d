package media

import (
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// law is one of G.711's codes.
type law struct {
	encode func(int16) byte
	decode *[256]int16
}

var (
	aLaw  = law{audio.EncodeALaw, table(audio.DecodeALaw)}
	muLaw = law{audio.EncodeMuLaw, table(audio.DecodeMuLaw)}
)

func table(decode func(byte) int16) *[256]int16 {
	var t [256]int16
	for i := range t {
		t[i] = decode(byte(i))
	}
	return &t
}

func lawOf(c sdp.Codec) law {
	if c == sdp.PCMU {
		return muLaw
	}
	return aLaw
}
