package mp3

import "encoding/binary"

// infoTag is the tag in an encoder's first, silent frame (Xing, and LAME's extension).
type infoTag struct {
	frames  int  // of sound; 0 = unknown
	exact   bool // delay and padding are known
	delay   int  // samples to drop at the beginning: the encoder's and the decoder's
	padding int  // samples to drop at the end
}

// decoderDelay is the delay of layer III decoding, in samples: 528 + 1.
const decoderDelay = 529

// parseInfo reads the tag of a frame; ok is false if the frame has none.
func parseInfo(h *frameHeader, frame []byte) (t infoTag, ok bool) {
	at := headerSize + h.sideSize()
	if len(frame) < at+8 {
		return t, false
	}
	b := frame[at:]
	if string(b[:4]) != "Xing" && string(b[:4]) != "Info" {
		return t, len(frame) >= 40 && string(frame[36:40]) == "VBRI" // Fraunhofer's tag, not used
	}
	flags := binary.BigEndian.Uint32(b[4:])
	b = b[8:]
	for bit, size := range [4]int{4, 4, 100, 4} {
		if flags>>bit&1 == 0 {
			continue
		}
		if len(b) < size {
			return t, true
		}
		if bit == 0 {
			t.frames = int(binary.BigEndian.Uint32(b))
		}
		b = b[size:]
	}
	t.parseLAME(b)
	return t, true
}

// parseLAME reads the extension with delay and padding.
func (t *infoTag) parseLAME(b []byte) {
	if len(b) < 24 {
		return
	}
	switch string(b[:4]) {
	case "LAME", "Lavc", "Lavf", "L3.9":
	default:
		return
	}
	t.exact = true
	t.delay = int(b[21])<<4 | int(b[22])>>4
	t.delay += decoderDelay
	t.padding = max(0, (int(b[22]&15)<<8|int(b[23]))-decoderDelay)
}
