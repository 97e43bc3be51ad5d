package mp3

import (
	"encoding/binary"
)

// frameHeader is the header of a frame, 4 bytes (ISO 11172-3 §2.4.1.3).
type frameHeader struct {
	version   int // 1 = MPEG-1, 2 = MPEG-2, 3 = MPEG-2.5
	protected bool
	rate      int
	rateIndex int // into the band tables: 0-2 MPEG-1, 3-5 MPEG-2, 6-8 MPEG-2.5
	size      int // of the frame in bytes, the header included
	channels  int
	midSide   bool
	intensity bool
}

// headerSize is the length of a frame header in bytes.
const headerSize = 4

// parseHeader returns ok = false unless b begins with a layer III frame header of a known bit rate.
func parseHeader(b []byte) (h frameHeader, ok bool) {
	if len(b) < headerSize || b[0] != 0xff || b[1]&0xe0 != 0xe0 || b[1]&0x06 != 0x02 {
		return h, false
	}
	h.version = [4]int{3, 0, 2, 1}[b[1]>>3&3]
	bitrate, rate := int(b[2]>>4), int(b[2]>>2&3)
	if h.version == 0 || bitrate == 0 || bitrate == 15 || rate == 3 {
		return h, false
	}
	h.protected = b[1]&1 == 0
	h.rate = [3]int{44100, 48000, 32000}[rate] >> (h.version - 1)
	h.rateIndex = 3*(h.version-1) + rate
	h.channels = 2
	if mode := b[3] >> 6; mode == 3 {
		h.channels = 1
	} else if mode == 1 {
		h.intensity, h.midSide = b[3]&0x10 != 0, b[3]&0x20 != 0
	}
	h.size = h.frameSize(bitrate, int(b[2]>>1&1))
	return h, true
}

func (h *frameHeader) frameSize(index, padding int) int {
	if h.version == 1 {
		kbps := [15]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}[index]
		return 144*kbps*1000/h.rate + padding
	}
	kbps := [15]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}[index]
	return 72*kbps*1000/h.rate + padding
}

// isLowSampling reports whether this is the low sampling frequency form of MPEG-2 and 2.5.
func (h *frameHeader) isLowSampling() bool { return h.version != 1 }

// granuleCount returns the number of granules, of 576 samples, in a frame.
func (h *frameHeader) granuleCount() int {
	if h.isLowSampling() {
		return 1
	}
	return 2
}

// sideSize returns the length of the side information in bytes.
func (h *frameHeader) sideSize() int {
	switch {
	case h.isLowSampling() && h.channels == 1:
		return 9
	case !h.isLowSampling() && h.channels == 2:
		return 32
	}
	return 17
}

// isCompatible reports whether both headers can belong to one stream.
func (h *frameHeader) isCompatible(o *frameHeader) bool {
	return h.rateIndex == o.rateIndex && h.version == o.version
}

// FindFrame returns the offset of the first layer III frame in b: 0 if a second one follows or b ends within the first,
// more if two others follow. ok is false if there is none.
func FindFrame(b []byte) (offset int, ok bool) {
	for i := 0; i+headerSize <= len(b); i++ {
		want := 2
		if i > 0 {
			want = 3
		}
		if hasFrames(b[i:], want, i == 0) {
			return i, true
		}
	}
	return 0, false
}

// hasFrames reports whether b begins with the given number of consecutive frames. With short, b may end before the last
// of them.
func hasFrames(b []byte, count int, short bool) bool {
	first, ok := parseHeader(b)
	if !ok {
		return false
	}
	for h := first; ; {
		count--
		if count == 0 {
			return true
		}
		if len(b) < h.size+headerSize {
			return short
		}
		b = b[h.size:]
		if h, ok = parseHeader(b); !ok || !h.isCompatible(&first) {
			return false
		}
	}
}

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
