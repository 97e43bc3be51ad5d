// Package webm walks a Matroska or WebM file (RFC 9559, EBML RFC 8794) and gives out the frames of one track. It knows
// no codec. Only what comes in order is read, never seeking, so segments and clusters of unknown size, as browsers
// record them, are no different from others.
package webm

import (
	"bufio"
	"errors"
	"io"
)

var (
	// ErrTruncated says that the file ends within an element.
	ErrTruncated = errors.New("webm: ends within an element")
	// ErrDamaged says that the bytes are no EBML.
	ErrDamaged = errors.New("webm: damaged element")
)

// maxElement bounds the memory of one element that is read whole: a track entry, a block.
const maxElement = 1 << 20

// Element ids.
const (
	idEBML          = 0x1a45dfa3
	idSegment       = 0x18538067
	idCluster       = 0x1f43b675
	idTracks        = 0x1654ae6b
	idTrackEntry    = 0xae
	idTrackNumber   = 0xd7
	idTrackType     = 0x83
	idCodecID       = 0x86
	idCodecPrivate  = 0x63a2
	idCodecDelay    = 0x56aa
	idAudio         = 0xe1
	idFrequency     = 0xb5
	idChannels      = 0x9f
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

// Track is one audio track.
type Track struct {
	Number   uint64
	Codec    string // "A_OPUS", …
	Private  []byte
	Delay    uint64 // nanoseconds to drop at the beginning
	Rate     float64
	Channels int
	Encoded  bool // compressed or encrypted blocks
}

// Frame is one frame of the chosen track.
type Frame struct {
	Data    []byte // valid until the next frame
	Discard int64  // nanoseconds to drop at its end
}

// Reader walks a file.
type Reader struct {
	Tracks []Track // audio tracks, after Open

	r      *bufio.Reader
	pos    int64
	ends   []int64 // where the open master elements end, outermost first; unknownSize
	track  uint64
	buf    []byte
	queue  []Frame
	peeked *element
}

type element struct {
	id   uint32
	size int64 // unknownSize if the file does not say
}

// Open reads up to the first cluster.
func Open(r io.Reader) (*Reader, error) {
	w := &Reader{r: bufio.NewReaderSize(r, 64<<10)}
	for {
		e, err := w.element()
		if errors.Is(err, io.EOF) {
			err = ErrTruncated
		}
		if err != nil {
			return nil, err
		}
		switch e.id {
		case idSegment, idTracks:
			err = w.enter(e)
		case idTrackEntry:
			err = w.trackEntry(e)
		case idCluster:
			w.peeked = &e
			return w, nil
		default:
			err = w.skip(e)
		}
		if err != nil {
			return nil, err
		}
	}
}

// Choose sets the track whose frames Next returns.
func (w *Reader) Choose(number uint64) { w.track = number }

// Next returns the next frame of the chosen track, io.EOF at the end of the file.
func (w *Reader) Next() (Frame, error) {
	for len(w.queue) == 0 {
		if err := w.step(); err != nil {
			return Frame{}, err
		}
	}
	f := w.queue[0]
	w.queue = w.queue[1:]
	return f, nil
}

// step handles one element at the level of clusters and blocks.
func (w *Reader) step() error {
	e, err := w.element()
	if err != nil {
		return err
	}
	switch e.id {
	case idSegment, idCluster:
		return w.enter(e)
	case idSimpleBlock:
		body, err := w.body(e)
		if err != nil {
			return err
		}
		return w.block(body, 0)
	case idBlockGroup:
		body, err := w.body(e)
		if err != nil {
			return err
		}
		return w.group(body)
	}
	return w.skip(e)
}

// element reads the next header, wherever it lies; elements that it ends are left.
func (w *Reader) element() (element, error) {
	if w.peeked != nil {
		e := *w.peeked
		w.peeked = nil
		return e, nil
	}
	for len(w.ends) > 0 && w.ends[len(w.ends)-1] != unknownSize && w.pos >= w.ends[len(w.ends)-1] {
		w.ends = w.ends[:len(w.ends)-1]
	}
	id, err := w.vint(4, true)
	if errors.Is(err, io.EOF) && w.promised() {
		return element{}, ErrTruncated
	}
	if err != nil {
		return element{}, err
	}
	size, err := w.vint(8, false)
	if errors.Is(err, io.EOF) {
		return element{}, ErrTruncated
	}
	return element{uint32(id), size}, err
}

// promised says whether an open element has a known end that lies ahead.
func (w *Reader) promised() bool {
	for _, end := range w.ends {
		if end != unknownSize && end > w.pos {
			return true
		}
	}
	return false
}

// enter goes on reading inside a master element. A new segment or cluster ends one of unknown size.
func (w *Reader) enter(e element) error {
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

func (w *Reader) skip(e element) error {
	if e.size == unknownSize {
		return ErrDamaged
	}
	n, err := io.CopyN(io.Discard, w.r, e.size)
	w.pos += n
	return truncated(err)
}

// body reads an element whole; the result is valid until the next call.
func (w *Reader) body(e element) ([]byte, error) {
	if e.size == unknownSize || e.size > maxElement {
		return nil, ErrDamaged
	}
	if int64(cap(w.buf)) < e.size {
		w.buf = make([]byte, e.size)
	}
	w.buf = w.buf[:e.size]
	n, err := io.ReadFull(w.r, w.buf)
	w.pos += int64(n)
	return w.buf, truncated(err)
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}
