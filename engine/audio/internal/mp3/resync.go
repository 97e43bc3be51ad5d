package mp3

import (
	"bytes"
	"errors"
	"io"
)

// nextHeader finds the next frame, skipping tags. The error is io.EOF at the end of the file, ErrTruncated or
// ErrDamaged.
func (d *FrameDecoder) nextHeader() (frameHeader, error) {
	for {
		b, err := d.r.Peek(headerSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return frameHeader{}, err
		}
		if h, ok := parseHeader(b); ok && h.isCompatible(&d.first) {
			return h, nil
		}
		if h, ok, err := d.followsPiece(); ok || err != nil {
			return h, err
		}
		skipped, err := d.skipTag()
		if err != nil {
			return frameHeader{}, err
		}
		if !skipped {
			return frameHeader{}, d.endError()
		}
	}
}

// skipTag skips ID3v1, ID3v2, APEv2 and Lyrics3 tags, and zeros.
func (d *FrameDecoder) skipTag() (bool, error) {
	b, err := d.r.Peek(32)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	size := 0
	switch {
	case len(b) == 0:
		return false, nil
	case b[0] == 0:
		size = 1
	case bytes.HasPrefix(b, []byte("TAG")):
		size = 128
	case bytes.HasPrefix(b, []byte("ID3")) && len(b) >= 10:
		size = 10 + (int(b[6]&0x7f)<<21 | int(b[7]&0x7f)<<14 | int(b[8]&0x7f)<<7 | int(b[9]&0x7f))
	case bytes.HasPrefix(b, []byte("APETAGEX")) && len(b) == 32:
		size = 32 + (int(b[12]) | int(b[13])<<8 | int(b[14])<<16)
	case bytes.HasPrefix(b, []byte("LYRICSBEGIN")):
		size = 11
	default:
		return false, nil
	}
	n, err := d.r.Discard(size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n > 0, err
}

// endError returns why no frame follows: end of file, a truncated frame, or damage with frames after it.
func (d *FrameDecoder) endError() error {
	b, err := d.r.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(b) >= headerSize {
		if _, ok := FindFrame(b); ok {
			return ErrDamaged
		}
	} else if len(b) > 0 && b[0] == 0xff {
		return ErrTruncated
	}
	if d.missingFrames() > 0 && !d.nearlyWhole() {
		return ErrTruncated
	}
	return io.EOF
}
