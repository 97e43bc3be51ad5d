package media

import (
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// g711Codec is one of the G.711 variants.
type g711Codec struct {
	encode func(int16) byte
	decode *[256]int16
}

var (
	aLaw  = g711Codec{audio.EncodeALaw, decodeTable(audio.DecodeALaw)}
	muLaw = g711Codec{audio.EncodeMuLaw, decodeTable(audio.DecodeMuLaw)}
)

func decodeTable(decode func(byte) int16) *[256]int16 {
	var t [256]int16
	for i := range t {
		t[i] = decode(byte(i))
	}
	return &t
}

func lawOf(c sdp.Codec) g711Codec {
	if c == sdp.PCMU {
		return muLaw
	}
	return aLaw
}
