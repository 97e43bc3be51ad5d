package audio

import (
	"bufio"
	"errors"
	"io"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"
)

// flacBlock is the length of a FLAC frame, in samples.
const flacBlock = 4096

// flacEncoder encodes native FLAC with fixed predictors. The stream's MD5 sum is left out, as RFC 9639 §8.2 allows: the
// header is written before the samples are known.
type flacEncoder struct {
	w       *bufio.Writer
	flac    *flac.Encoder
	waiting []int32 // samples of the frame that is not full yet
}

func newFLACEncoder(w io.Writer, samples int) (*flacEncoder, error) {
	e := &flacEncoder{w: bufio.NewWriter(w), waiting: make([]int32, 0, flacBlock)}
	var err error
	e.flac, err = flac.NewEncoder(struct{ io.Writer }{e.w}, &meta.StreamInfo{
		BlockSizeMin: flacBlock, BlockSizeMax: flacBlock, SampleRate: EncodedRate, NChannels: 1, BitsPerSample: 16,
		NSamples: uint64(samples),
	})
	return e, err
}

// EncodeSamples implements [SpeechEncoder].
func (e *flacEncoder) EncodeSamples(pcm []int16) error {
	for _, v := range pcm {
		if e.waiting = append(e.waiting, int32(v)); len(e.waiting) == flacBlock {
			if err := e.writeFrame(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *flacEncoder) writeFrame() error {
	err := e.flac.WriteFrame(&frame.Frame{
		Header: frame.Header{
			HasFixedBlockSize: true, BlockSize: uint16(len(e.waiting)), SampleRate: EncodedRate,
			Channels: frame.ChannelsMono, BitsPerSample: 16,
		},
		Subframes: []*frame.Subframe{{
			SubHeader: frame.SubHeader{Pred: frame.PredVerbatim}, // the encoder chooses a better one
			Samples:   e.waiting, NSamples: len(e.waiting),
		}},
	})
	e.waiting = e.waiting[:0]
	return err
}

// Close implements [SpeechEncoder].
func (e *flacEncoder) Close() error {
	var err error
	if len(e.waiting) > 0 {
		err = e.writeFrame()
	}
	return errors.Join(err, e.flac.Close(), e.w.Flush())
}
