package audio

import (
	"fmt"
	"io"
)

// guarded catches the panics of a decoder that runs in this process, whose bytes are a stranger's, and what it gives
// beyond full scale.
type guarded struct {
	source
	dead bool
}

func (g *guarded) Read(p []float32) (n int, err error) {
	if g.dead {
		return 0, io.EOF
	}
	err = guard(func() (err error) {
		n, err = g.source.Read(p)
		return err
	})
	g.dead = err != nil
	clamp(p[:n])
	return n, err
}

// guard runs f; a panic becomes a fault of the recording.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = damaged("it cannot be decoded", fmt.Errorf("decoder panicked: %v", r))
		}
	}()
	return f()
}
