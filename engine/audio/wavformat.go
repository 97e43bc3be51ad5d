package audio

import (
	"encoding/binary"
	"fmt"
)

// Codec tags of the fmt chunk (mmreg.h).
const (
	tagPCM        = 0x0001
	tagFloat      = 0x0003
	tagALaw       = 0x0006
	tagMuLaw      = 0x0007
	tagExtensible = 0xfffe
)

// wavFormat is the fmt chunk.
type wavFormat struct {
	tag      uint16
	channels int
	rate     int
	bits     int // significant bits per sample
	bytes    int // of a sample as stored
}

func (f *wavFormat) parseFormat(b []byte) error {
	if len(b) < 16 {
		return newDamagedFault("its format chunk is too short", nil)
	}
	le := binary.LittleEndian
	f.tag, f.channels, f.rate = le.Uint16(b), int(le.Uint16(b[2:])), int(le.Uint32(b[4:]))
	align := int(le.Uint16(b[12:]))
	f.bits = int(le.Uint16(b[14:]))
	if f.tag == tagExtensible {
		if len(b) < 40 {
			return newDamagedFault("its format chunk is too short", nil)
		}
		f.tag = le.Uint16(b[24:]) // the first two bytes of the subformat's GUID
	}
	if f.channels == 0 {
		return newDamagedFault("its header states no channels", nil)
	}
	f.bytes = (f.bits + 7) / 8
	if align%f.channels == 0 && align/f.channels > f.bytes && align/f.channels <= 4 {
		f.bytes = align / f.channels // 24 bits stored in 32, left-justified
	}
	return nil
}

// frameSize returns the size in bytes of one sample of every channel.
func (f *wavFormat) frameSize() int { return f.bytes * f.channels }

// codecName returns the codec's name for display.
func (f *wavFormat) codecName() string {
	switch f.tag {
	case tagPCM:
		return fmt.Sprintf("PCM %d bit", f.bits)
	case tagFloat:
		return fmt.Sprintf("float %d bit", f.bits)
	case tagALaw:
		return "A-law"
	case tagMuLaw:
		return "µ-law"
	case 0x0002, 0x0011:
		return "ADPCM"
	case 0x0031:
		return "GSM 06.10"
	case 0x0050, 0x0055:
		return "MPEG audio"
	}
	return fmt.Sprintf("codec 0x%04x", f.tag)
}

func (f *wavFormat) pcmConverterFor() (pcmConverter, error) {
	switch f.tag {
	case tagPCM:
		if c := pcmIntegers(f.bytes); c != nil {
			return c, nil
		}
		return nil, newDamagedFault(fmt.Sprintf("its header states PCM of %d bits, not 8, 16, 24 or 32", f.bits), nil)
	case tagFloat:
		if c := pcmFloats(f.bytes); c != nil {
			return c, nil
		}
		return nil, newDamagedFault(fmt.Sprintf("its header states floats of %d bits, not 32 or 64", f.bits), nil)
	case tagALaw, tagMuLaw:
		if f.bytes != 1 {
			return nil, newDamagedFault(fmt.Sprintf("its header states %s of %d bits, not 8", f.codecName(), f.bits), nil)
		}
		return pcmLaw(f.tag), nil
	}
	return nil, &foreignCodec{"WAV with " + f.codecName()}
}
