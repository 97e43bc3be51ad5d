package audio

import (
	"encoding/binary"
	"errors"
	"io"

	"munadi/engine/audio/internal/ogg"
	"munadi/engine/audio/internal/xiph"
)

const (
	opusClock   = 48000                   // of Opus' granule positions, whatever the sample rate
	opusFrame   = EncodedRate * 20 / 1000 // samples
	opusTicks   = opusClock / EncodedRate
	opusMaxSize = 1275 // bytes of a frame (RFC 6716 §3.2.1)
)

// opusFileEncoder encodes Ogg Opus (RFC 7845).
type opusFileEncoder struct {
	pages   *ogg.PageWriter
	opus    *xiph.OpusEncoder
	waiting []int16 // samples of the frame that is not full yet
	skip    int64   // samples that the decoder drops at the beginning, at opusClock
	coded   int64   // samples encoded, at opusClock
	given   int64   // samples to be heard, at opusClock
	packet  [opusMaxSize]byte
}

func newOpusFile(w io.Writer) (*opusFileEncoder, error) {
	c, err := xiph.NewOpusFileEncoder(EncodedRate)
	if err != nil {
		return nil, err
	}
	e := &opusFileEncoder{
		pages: ogg.NewPageWriter(w), opus: c, waiting: make([]int16, 0, opusFrame), skip: int64(c.Lookahead()) * opusTicks,
	}
	le := binary.LittleEndian
	head := append([]byte("OpusHead"), 1, 1) // version, channels
	head = le.AppendUint16(head, uint16(e.skip))
	head = le.AppendUint32(head, EncodedRate)
	head = append(head, 0, 0, 0) // gain, mapping family
	tags := le.AppendUint32([]byte("OpusTags"), uint32(len("munadi")))
	tags = le.AppendUint32(append(tags, "munadi"...), 0)
	err = errors.Join(e.pages.WritePacket(head, 0), e.pages.FlushPage(), e.pages.WritePacket(tags, 0), e.pages.FlushPage())
	if err != nil {
		c.Close()
		return nil, err
	}
	return e, nil
}

// EncodeSamples implements [SpeechEncoder].
func (e *opusFileEncoder) EncodeSamples(pcm []int16) error {
	e.given += int64(len(pcm)) * opusTicks
	return e.encodeFrames(pcm)
}

func (e *opusFileEncoder) encodeFrames(pcm []int16) error {
	for _, v := range pcm {
		if e.waiting = append(e.waiting, v); len(e.waiting) < opusFrame {
			continue
		}
		n, err := e.opus.EncodeFrame(e.packet[:], e.waiting)
		if err != nil {
			return err
		}
		e.waiting, e.coded = e.waiting[:0], e.coded+opusFrame*opusTicks
		if err := e.pages.WritePacket(e.packet[:n], min(e.coded, e.skip+e.given)); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [SpeechEncoder]. The end is padded by what the decoder drops.
func (e *opusFileEncoder) Close() error {
	defer e.opus.Close()
	left := int((e.skip + e.given - e.coded) / opusTicks)
	frames := (left + opusFrame - 1) / opusFrame
	err := e.encodeFrames(make([]int16, frames*opusFrame-len(e.waiting)))
	return errors.Join(err, e.pages.Close())
}
