package webm

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
