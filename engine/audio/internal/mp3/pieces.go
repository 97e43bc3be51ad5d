package mp3

import (
	"bytes"
	"errors"
	"io"
)

// toleranceShare is the share of a second, as 1/n, that may be missing at the end of a complete piece.
const toleranceShare = 10

// missingFrames returns how many frames of the tag's count are missing. One is tolerated: some encoders count the tag's
// own frame.
func (d *FrameDecoder) missingFrames() int { return max(0, d.info.frames-d.frames-1) }

// nearlyWhole reports whether the piece lacks at most 100 ms of its tag's length. It is false without a tag.
func (d *FrameDecoder) nearlyWhole() bool {
	return d.info.frames > 0 && d.missingFrames()*lines*d.first.granuleCount() <= d.first.rate/toleranceShare
}

// beginsPiece reports whether a frame is the first of another concatenated file: a tag without sound, another sample
// rate, or any frame after the number of frames stated in the current piece's tag.
func (d *FrameDecoder) beginsPiece(h *frameHeader, frame []byte) bool {
	switch {
	case !h.isCompatible(&d.first):
		return true
	case d.frames == 0:
		return false
	case d.info.exact && d.info.frames > 0 && d.frames >= d.info.frames:
		return true
	}
	side := frame[headerSize:min(len(frame), headerSize+h.sideSize())]
	_, tagged := parseInfo(h, frame)
	return tagged && len(bytes.Trim(side, "\x00")) == 0 // other frames may contain these letters by chance
}

// nextPiece starts the next piece, whose first header is h. It returns ErrTruncated if the current one is shorter
// than its tag states.
func (d *FrameDecoder) nextPiece(h frameHeader) error {
	if d.info.frames > 0 && !d.nearlyWhole() {
		return ErrTruncated
	}
	d.first = h
	d.hybrid.overlap = [subbands][slots]float32{}
	clear(d.synth.v[:])
	return d.readInfo()
}

// followsPiece reports whether at least three consecutive frames of another sample rate begin here.
func (d *FrameDecoder) followsPiece() (frameHeader, bool, error) {
	b, err := d.r.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return frameHeader{}, false, err
	}
	h, ok := parseHeader(b)
	return h, ok && !h.isCompatible(&d.first) && hasFrames(b, 3, false), nil
}
