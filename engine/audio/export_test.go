package audio

import (
	"bytes"
	"errors"

	"munadi/engine/audio/internal/ogg"
)

// ConfineDecoder sandboxes a test process that then attacks its sandbox.
func ConfineDecoder(cpuSeconds uint64) error { return confineDecoder(cpuSeconds) }

// HelperMark is the environment variable of a child.
const HelperMark = helperMark

var errEnough = errors.New("enough samples")

// countingSink is a sink that stops after n samples.
type countingSink struct{ left int }

func (c *countingSink) writeFormat(SoundFormat, int) error { return nil }

func (c *countingSink) writeSamples(mono []float32) error {
	if c.left -= len(mono); c.left < 0 {
		return errEnough
	}
	return nil
}

// DecodeOgg decodes as the child does, ignoring checksums.
func DecodeOgg(b []byte, most int) error {
	pages := ogg.NewPages(bytes.NewReader(b))
	pages.NoChecksum = true
	return decodeOgg(pages, &countingSink{most}, MixChannels)
}

// DecodeWebM decodes as the child does.
func DecodeWebM(b []byte, most int) error {
	return decodeWebM(bytes.NewReader(b), &countingSink{most}, RightChannel)
}

// IsFault reports whether err is an error of the recording that a child reports, or countingSink's.
func IsFault(err error) bool {
	var f *sourceFault
	var foreign *foreignCodec
	return errors.As(err, &f) || errors.As(err, &foreign) || errors.Is(err, errEnough)
}

// WireOf returns a child's output for samples.
func WireOf(samples []float32) []byte {
	var b bytes.Buffer
	w := newWireWriter(&b)
	_ = w.writeEnd(errors.Join(w.writeFormat(SoundFormat{Rate: Rate, Channels: 1}, Rate), w.writeSamples(samples)))
	return b.Bytes()
}

// ReadWire reads a child's output.
func ReadWire(b []byte) {
	w := newWireReader(bytes.NewReader(b))
	if _, err := w.readFormat(); err != nil {
		return
	}
	p := make([]float32, 100)
	for {
		if _, err := w.readSamples(p); err != nil {
			return
		}
	}
}
