package audio

import (
	"fmt"
	"io"
)

// panicGuard recovers panics of in-process decoders of untrusted bytes, and clips their output to full scale.
type panicGuard struct {
	sampleSource
	dead bool
}

func (g *panicGuard) Read(p []float32) (n int, err error) {
	if g.dead {
		return 0, io.EOF
	}
	err = catchPanic(func() (err error) {
		n, err = g.sampleSource.Read(p)
		return err
	})
	g.dead = err != nil
	clampSamples(p[:n])
	return n, err
}

// catchPanic runs f; a panic becomes an error of the recording.
func catchPanic(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = newDamagedFault("it cannot be decoded", fmt.Errorf("decoder panicked: %v", r))
		}
	}()
	return f()
}
