package webm

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
)

// readGroup reads a BlockGroup: one block, and optionally its DiscardPadding.
func (w *WebMReader) readGroup(body []byte) error {
	var block []byte
	var discard int64
	err := eachChild(body, func(id uint32, b []byte) error {
		switch id {
		case idBlock:
			block = b
		case idDiscard:
			discard = parseSigned(b)
		}
		return nil
	})
	if err != nil || block == nil {
		return err
	}
	return w.readBlock(block, discard)
}

// readBlock queues the frames of a Block or SimpleBlock of the chosen track (RFC 9559 §10).
func (w *WebMReader) readBlock(b []byte, discard int64) error {
	track, n := parseVint(b)
	if n == 0 || len(b) < n+blockHeaderRest {
		return ErrDamaged
	}
	if uint64(track) != w.track {
		return nil
	}
	lacing := b[n+2] & lacingMask
	b = b[n+blockHeaderRest:]
	w.queue = w.queue[:0]
	if lacing == 0 {
		w.queue = append(w.queue, TrackFrame{Data: b, Discard: discard})
		return nil
	}
	sizes, b, err := laceSizes(lacing, b)
	if err != nil {
		return err
	}
	for i, size := range sizes {
		f := TrackFrame{Data: b[:size]}
		if i == len(sizes)-1 {
			f.Discard = discard
		}
		w.queue = append(w.queue, f)
		b = b[size:]
	}
	return nil
}

// laceSizes returns the sizes of the frames in a laced block, and the bytes of the frames: sizes add up to at most
// their length.
func laceSizes(lacing byte, b []byte) ([]int, []byte, error) {
	if len(b) == 0 {
		return nil, nil, ErrDamaged
	}
	count := int(b[0]) + 1
	b = b[1:]
	sizes := make([]int, 0, count)
	var err error
	switch lacing {
	case lacingXiph:
		sizes, b, err = xiphSizes(sizes, count-1, b)
	case lacingEBML:
		sizes, b, err = ebmlSizes(sizes, count-1, b)
	case lacingFixed:
		for range count - 1 {
			sizes = append(sizes, len(b)/count)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	rest := len(b)
	for _, size := range sizes {
		if size < 0 || size > rest {
			return nil, nil, ErrDamaged
		}
		rest -= size
	}
	return append(sizes, rest), b, nil
}

// xiphSizes reads sizes in Xiph lacing: bytes of 255 and a smaller one, which are summed.
func xiphSizes(sizes []int, count int, b []byte) ([]int, []byte, error) {
	for range count {
		size := 0
		for {
			if len(b) == 0 {
				return nil, nil, ErrDamaged
			}
			c := int(b[0])
			size, b = size+c, b[1:]
			if c < 255 {
				break
			}
		}
		sizes = append(sizes, size)
	}
	return sizes, b, nil
}

// ebmlSizes reads sizes in EBML lacing: the first as a number, each other one as the signed difference from the
// previous.
func ebmlSizes(sizes []int, count int, b []byte) ([]int, []byte, error) {
	size := int64(0)
	for i := range count {
		v, n := parseVint(b)
		if n == 0 {
			return nil, nil, ErrDamaged
		}
		b = b[n:]
		if i > 0 {
			v -= 1<<(7*n-1) - 1
		}
		if size += v; size < 0 || size > maxElement {
			return nil, nil, ErrDamaged
		}
		sizes = append(sizes, int(size))
	}
	return sizes, b, nil
}

// trackEntry reads a TrackEntry and adds it to Tracks if it is an audio track.
func (w *WebMReader) trackEntry(e ebmlElement) error {
	body, err := w.readBody(e)
	if err != nil {
		return err
	}
	var kind uint64
	var t AudioTrack
	err = eachChild(body, func(id uint32, b []byte) error {
		switch id {
		case idTrackNumber:
			t.Number = parseUnsigned(b)
		case idTrackType:
			kind = parseUnsigned(b)
		case idCodecID:
			t.Codec = string(bytes.TrimRight(b[:min(len(b), 64)], "\x00"))
		case idCodecPrivate:
			t.Private = bytes.Clone(b)
		case idCodecDelay:
			t.Delay = parseUnsigned(b)
		case idEncodings:
			t.Encoded = true
		}
		return nil
	})
	if err == nil && kind == trackTypeAudio && len(w.Tracks) < 64 {
		w.Tracks = append(w.Tracks, t)
	}
	return err
}

// readVint reads a variable-size integer of at most most bytes (RFC 8794 §4); keep keeps its length marker, as in ids.
// A size of all ones is unknownSize. io.EOF is returned only before the first byte.
func (w *WebMReader) readVint(most int, keep bool) (int64, error) {
	first, err := w.r.ReadByte()
	if err != nil {
		return 0, err
	}
	w.pos++
	length := bits.LeadingZeros8(first) + 1
	if length > most {
		return 0, ErrDamaged
	}
	v := int64(first)
	if !keep {
		v &= 1<<(8-length) - 1
	}
	for range length - 1 {
		b, err := w.r.ReadByte()
		if errors.Is(err, io.EOF) {
			return 0, ErrTruncated
		}
		if err != nil {
			return 0, err
		}
		w.pos++
		v = v<<8 | int64(b)
	}
	if !keep && v == 1<<(7*length)-1 {
		return unknownSize, nil
	}
	return v, nil
}

// parseVint reads a variable-size integer at the beginning of b and returns its length, 0 if b is too short.
func parseVint(b []byte) (v int64, length int) {
	if len(b) == 0 {
		return 0, 0
	}
	length = bits.LeadingZeros8(b[0]) + 1
	if length > 8 || length > len(b) {
		return 0, 0
	}
	v = int64(b[0]) & (1<<(8-length) - 1)
	for _, c := range b[1:length] {
		v = v<<8 | int64(c)
	}
	return v, length
}

// eachChild calls f for each element directly inside b.
func eachChild(b []byte, f func(id uint32, body []byte) error) error {
	for len(b) > 0 {
		idLength := bits.LeadingZeros8(b[0]) + 1
		if idLength > 4 || idLength > len(b) {
			return ErrDamaged
		}
		id := uint32(0)
		for _, c := range b[:idLength] {
			id = id<<8 | uint32(c)
		}
		size, n := parseVint(b[idLength:])
		b = b[idLength+n:]
		if n == 0 || size > int64(len(b)) {
			return ErrDamaged
		}
		if err := f(id, b[:size]); err != nil {
			return err
		}
		b = b[size:]
	}
	return nil
}

func parseUnsigned(b []byte) (v uint64) {
	for _, c := range b[:min(len(b), 8)] {
		v = v<<8 | uint64(c)
	}
	return v
}

func parseSigned(b []byte) int64 {
	if len(b) == 0 || len(b) > 8 {
		return 0
	}
	shift := 64 - 8*len(b)
	return int64(parseUnsigned(b)<<shift) >> shift
}
