// Package webm reads a Matroska or WebM file (RFC 9559, EBML RFC 8794) and returns the frames of one track, for any
// codec. It reads in order, without seeking, so it also reads segments and clusters of unknown size, as browsers
// record them.
package webm

import (
	"bufio"
	"errors"
	"io"
)

var (
	// ErrTruncated means that the file ends within an element.
	ErrTruncated = errors.New("webm: ends within an element")
	// ErrDamaged means that the bytes are not valid EBML.
	ErrDamaged = errors.New("webm: damaged element")
)

// maxElement bounds the memory of one element that is read whole: a track entry, a block.
const maxElement = 1 << 20

// Element ids.
const (
	idSegment       = 0x18538067
	idCluster       = 0x1f43b675
	idTracks        = 0x1654ae6b
	idTrackEntry    = 0xae
	idTrackNumber   = 0xd7
	idTrackType     = 0x83
	idCodecID       = 0x86
	idCodecPrivate  = 0x63a2
	idCodecDelay    = 0x56aa
	idEncodings     = 0x6d80
	idSimpleBlock   = 0xa3
	idBlockGroup    = 0xa0
	idBlock         = 0xa1
	idDiscard       = 0x75a2
	trackTypeAudio  = 2
	unknownSize     = -1
	lacingMask      = 0x06
	lacingXiph      = 0x02
	lacingFixed     = 0x04
	lacingEBML      = 0x06
	blockHeaderRest = 3 // timecode and flags
)

// AudioTrack is one audio track.
type AudioTrack struct {
	Number  uint64
	Codec   string // "A_OPUS", …
	Private []byte
	Delay   uint64 // nanoseconds to drop at the beginning
	Encoded bool   // compressed or encrypted blocks
}

// TrackFrame is one frame of the chosen track.
type TrackFrame struct {
	Data    []byte // valid until the next frame
	Discard int64  // nanoseconds to drop at its end
}

// WebMReader reads the elements of a file in order.
type WebMReader struct {
	Tracks []AudioTrack // audio tracks, at most 64

	r      *bufio.Reader
	pos    int64
	ends   []int64 // end offsets of the open master elements, outermost first; or unknownSize
	track  uint64
	buf    []byte
	queue  []TrackFrame
	peeked *ebmlElement
}

type ebmlElement struct {
	id   uint32
	size int64 // unknownSize if the file does not say
}

// OpenReader reads up to the first cluster.
func OpenReader(r io.Reader) (*WebMReader, error) {
	w := &WebMReader{r: bufio.NewReaderSize(r, 64<<10)}
	for {
		e, err := w.readElement()
		if errors.Is(err, io.EOF) {
			err = ErrTruncated
		}
		if err != nil {
			return nil, err
		}
		switch e.id {
		case idSegment, idTracks:
			err = w.enterElement(e)
		case idTrackEntry:
			err = w.trackEntry(e)
		case idCluster:
			w.peeked = &e
			return w, nil
		default:
			err = w.skipElement(e)
		}
		if err != nil {
			return nil, err
		}
	}
}

// ChooseTrack sets the track whose frames Next returns.
func (w *WebMReader) ChooseTrack(number uint64) { w.track = number }

// Next returns the next frame of the chosen track, io.EOF at the end of the file.
func (w *WebMReader) Next() (TrackFrame, error) {
	for len(w.queue) == 0 {
		if err := w.readStep(); err != nil {
			return TrackFrame{}, err
		}
	}
	f := w.queue[0]
	w.queue = w.queue[1:]
	return f, nil
}

// readStep handles one element at the level of clusters and blocks.
func (w *WebMReader) readStep() error {
	e, err := w.readElement()
	if err != nil {
		return err
	}
	switch e.id {
	case idSegment, idCluster:
		return w.enterElement(e)
	case idSimpleBlock:
		body, err := w.readBody(e)
		if err != nil {
			return err
		}
		return w.readBlock(body, 0)
	case idBlockGroup:
		body, err := w.readBody(e)
		if err != nil {
			return err
		}
		return w.readGroup(body)
	}
	return w.skipElement(e)
}

// readElement reads the next header, closing the elements that end before it.
func (w *WebMReader) readElement() (ebmlElement, error) {
	if w.peeked != nil {
		e := *w.peeked
		w.peeked = nil
		return e, nil
	}
	for len(w.ends) > 0 && w.ends[len(w.ends)-1] != unknownSize && w.pos >= w.ends[len(w.ends)-1] {
		w.ends = w.ends[:len(w.ends)-1]
	}
	id, err := w.readVint(4, true)
	if errors.Is(err, io.EOF) && w.hasKnownEnd() {
		return ebmlElement{}, ErrTruncated
	}
	if err != nil {
		return ebmlElement{}, err
	}
	size, err := w.readVint(8, false)
	if errors.Is(err, io.EOF) {
		return ebmlElement{}, ErrTruncated
	}
	return ebmlElement{uint32(id), size}, err
}

// hasKnownEnd reports whether an open element has a known end after the current position.
func (w *WebMReader) hasKnownEnd() bool {
	for _, end := range w.ends {
		if end != unknownSize && end > w.pos {
			return true
		}
	}
	return false
}

// enterElement continues reading inside a master element. A new segment or cluster ends the one before, which may be of
// unknown size.
func (w *WebMReader) enterElement(e ebmlElement) error {
	if e.id == idSegment {
		w.ends = w.ends[:0]
	} else if len(w.ends) > 1 {
		w.ends = w.ends[:1]
	}
	if e.size == unknownSize {
		w.ends = append(w.ends, unknownSize)
		return nil
	}
	end := w.pos + e.size
	if end < w.pos {
		return ErrDamaged
	}
	w.ends = append(w.ends, end)
	return nil
}

func (w *WebMReader) skipElement(e ebmlElement) error {
	if e.size == unknownSize {
		return ErrDamaged
	}
	n, err := io.CopyN(io.Discard, w.r, e.size)
	w.pos += n
	return truncatedError(err)
}

// readBody reads an element whole; the result is valid until the next call.
func (w *WebMReader) readBody(e ebmlElement) ([]byte, error) {
	if e.size == unknownSize || e.size > maxElement {
		return nil, ErrDamaged
	}
	if int64(cap(w.buf)) < e.size {
		w.buf = make([]byte, e.size)
	}
	w.buf = w.buf[:e.size]
	n, err := io.ReadFull(w.r, w.buf)
	w.pos += int64(n)
	return w.buf, truncatedError(err)
}

func truncatedError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}
