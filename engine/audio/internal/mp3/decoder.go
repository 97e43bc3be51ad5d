package mp3

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// ErrTruncated means that the file ends within a frame, or more than 100 ms before the length stated in its first one.
var ErrTruncated = errors.New("mp3: ends within a frame")

// reservoirBytes is the size of the bit reservoir: how far main data may begin before its frame.
const reservoirBytes = 511

// FrameDecoder decodes one file, or several concatenated ones (pieces). Not safe for concurrent use.
type FrameDecoder struct {
	Rate, Channels int // of the current piece

	chosen int // index of the decoded channel; -1: the mean of all

	r      *bufio.Reader
	codes  [quadTables + 2]*huffmanTable
	powers [smallPowers]float32

	first    frameHeader // of the current piece
	info     infoTag
	frames   int    // decoded ones of the current piece
	skip     int    // samples yet to drop at the beginning
	left     int64  // samples yet to return; -1: all
	main     []byte // the bit reservoir: main data of this frame and the ones before
	padded   []byte // scratch of newBitReader
	scales   [2]scaleFactors
	lines    [2][lines]float32
	bands    []scaleBand
	hybrid   *hybridFilter
	synth    *synthesisFilter
	pcm      [2 * lines]float32
	finished error
}

// OpenDecoder reads up to the first frame, skipping leading garbage. It decodes the channel of that index, or the mean
// of all (-1); the last channel of frames with fewer channels.
func OpenDecoder(r io.Reader, channel int) (*FrameDecoder, error) {
	d := &FrameDecoder{
		chosen: channel,
		r:      bufio.NewReaderSize(r, 32<<10), codes: huffmanTables(), hybrid: newHybrid(), synth: newSynthesis(), left: -1,
	}
	for i := range d.powers {
		d.powers[i] = float32(float64(i) * math.Cbrt(float64(i)))
	}
	if err := d.findFirst(); err != nil {
		return nil, err
	}
	return d, d.readInfo()
}

// findFirst reads up to the first frame; ErrDamaged if there is none.
func (d *FrameDecoder) findFirst() error {
	head, err := d.r.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	offset, ok := FindFrame(head)
	if !ok {
		return ErrDamaged
	}
	d.first, _ = parseHeader(head[offset:])
	_, err = d.r.Discard(offset)
	return err
}

// readInfo starts a piece at its first header. It consumes the first frame if that is a Xing or LAME tag, which has no
// sound.
func (d *FrameDecoder) readInfo() error {
	d.Rate, d.Channels = d.first.rate, d.first.channels
	d.info, d.frames, d.skip, d.left, d.main = infoTag{}, 0, 0, -1, d.main[:0]
	frame, err := d.r.Peek(d.first.size)
	if errors.Is(err, io.EOF) {
		return ErrTruncated
	}
	if err != nil {
		return err
	}
	info, ok := parseInfo(&d.first, frame)
	if !ok {
		return nil
	}
	d.info, d.skip = info, info.delay
	if info.frames > 0 && info.exact {
		d.left = max(0, int64(info.frames)*int64(lines*d.first.granuleCount())-int64(info.delay)-int64(info.padding))
	}
	_, err = d.r.Discard(d.first.size)
	return err
}

// Next returns the next samples, mono, valid until the call after. io.EOF, ErrTruncated or
// ErrDamaged at the end.
func (d *FrameDecoder) Next() ([]float32, error) {
	for d.finished == nil {
		pcm, err := d.decodeFrame()
		if errors.Is(err, ErrTruncated) && d.frames < d.info.frames && d.nearlyWhole() {
			err = io.EOF
		}
		if err != nil {
			d.finished = err
			break
		}
		if pcm = d.trimDelay(pcm); len(pcm) > 0 {
			return pcm, nil
		}
	}
	return nil, d.finished
}

// trimDelay drops the encoder's delay and padding.
func (d *FrameDecoder) trimDelay(pcm []float32) []float32 {
	cut := min(d.skip, len(pcm))
	d.skip -= cut
	pcm = pcm[cut:]
	if d.left >= 0 {
		pcm = pcm[:min(int64(len(pcm)), d.left)]
		d.left -= int64(len(pcm))
	}
	return pcm
}

// decodeFrame decodes the next frame; no samples if a piece begins there.
func (d *FrameDecoder) decodeFrame() ([]float32, error) {
	h, err := d.nextHeader()
	if err != nil {
		return nil, err
	}
	frame, err := d.r.Peek(h.size)
	if errors.Is(err, io.EOF) {
		return nil, ErrTruncated
	}
	if err != nil {
		return nil, err
	}
	if d.beginsPiece(&h, frame) {
		return nil, d.nextPiece(h)
	}
	start := headerSize
	if h.protected {
		start += 2
	}
	if h.size < start+h.sideSize() {
		return nil, ErrDamaged
	}
	pcm, err := d.decodeBody(&h, frame[start:])
	if err != nil {
		return nil, err
	}
	d.frames++
	_, err = d.r.Discard(h.size)
	return pcm, err
}

// decodeBody decodes a frame after its header. The first frames of a cut recording, whose main data is missing, are
// silent.
func (d *FrameDecoder) decodeBody(h *frameHeader, b []byte) ([]float32, error) {
	info, err := parseSide(h, b[:h.sideSize()])
	if err != nil {
		return nil, err
	}
	have := len(d.main)
	d.main = append(d.main, b[h.sideSize():]...)
	pcm := d.pcm[:lines*h.granuleCount()]
	if info.reservoir > have {
		if d.frames > reservoirFrames {
			return nil, ErrDamaged
		}
		clear(pcm)
	} else if err := d.decodeGranules(h, &info, d.main[have-info.reservoir:], pcm); err != nil {
		return nil, err
	}
	if over := len(d.main) - reservoirBytes; over > 0 {
		d.main = d.main[:copy(d.main, d.main[over:])]
	}
	return pcm, nil
}

// reservoirFrames is the number of frames at the beginning that may refer to missing bytes.
const reservoirFrames = 16
