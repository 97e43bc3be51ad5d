package audio

import (
	"bytes"
	"errors"

	"munadi/engine/audio/internal/ogg"
)

// ConfineDecoder lets tests be a decoder that misbehaves.
func ConfineDecoder(cpuSeconds uint64) error { return confineDecoder(cpuSeconds) }

// HelperMark is the environment variable that a child carries.
const HelperMark = helperMark

var errEnough = errors.New("enough samples")

// counter is a sink that has enough after so many samples.
type counter struct{ left int }

func (c *counter) format(Format, int) error { return nil }

func (c *counter) samples(mono []float32) error {
	if c.left -= len(mono); c.left < 0 {
		return errEnough
	}
	return nil
}

// DecodeOgg runs the child's work here, whatever the checksums say.
func DecodeOgg(b []byte, most int) error {
	pages := ogg.NewPages(bytes.NewReader(b))
	pages.NoChecksum = true
	return decodeOgg(pages, &counter{most}, MixChannels)
}

// DecodeWebM runs the child's work here.
func DecodeWebM(b []byte, most int) error {
	return decodeWebM(bytes.NewReader(b), &counter{most}, RightChannel)
}

// IsFault says whether err is one that a child reports about the recording, or that the counter made.
func IsFault(err error) bool {
	var f *fault
	var foreign *foreignCodec
	return errors.As(err, &f) || errors.As(err, &foreign) || errors.Is(err, errEnough)
}

// WireOf is what a child writes for samples.
func WireOf(samples []float32) []byte {
	var b bytes.Buffer
	w := newWireWriter(&b)
	_ = w.finish(errors.Join(w.format(Format{Rate: Rate, Channels: 1}, Rate), w.samples(samples)))
	return b.Bytes()
}

// ReadWire reads what a child wrote.
func ReadWire(b []byte) {
	w := newWireReader(bytes.NewReader(b))
	if _, err := w.format(); err != nil {
		return
	}
	p := make([]float32, 100)
	for {
		if _, err := w.samples(p); err != nil {
			return
		}
	}
}
