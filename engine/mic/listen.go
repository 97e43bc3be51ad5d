package mic

import (
	"context"
	"errors"
	"time"

	"github.com/gen2brain/malgo"
)

// retry is the pause between two looks for a device that is gone.
const retry = time.Second

// Listener is told what a microphone hears. Both are called from one goroutine, one at a time.
type Listener struct {
	Sound func(samples []float32) error // 16 kHz mono in [-1, 1], some 20 ms; an error ends the listening
	// Gone says that the device has vanished and is waited for, with the reason; Back that it is there again. May be nil.
	Gone func(reason error)
	Back func()
}

// Listen hears a device until ctx ends (nil), or until the listener has had enough (its error): an identity or name of
// [Devices], or a part of a name that only one has; "" is the default device. The device must be there at first; one
// that vanishes later is opened again when it is back. ErrNoSoundSystem and ErrNoDevice say what is missing.
func Listen(ctx context.Context, device string, l Listener) error {
	return listen(ctx, device, l, systems())
}

// systems are those that we know how to talk to, in the order in which they are tried.
func systems() []malgo.Backend {
	return []malgo.Backend{
		malgo.BackendPulseaudio, malgo.BackendAlsa, malgo.BackendJack, malgo.BackendCoreaudio, malgo.BackendWasapi,
	}
}

func listen(ctx context.Context, device string, l Listener, systems []malgo.Backend) error {
	c, err := open(ctx, device, systems)
	if err != nil {
		return quiet(ctx, err)
	}
	for {
		err := c.deliver(ctx, l)
		c.stop()
		if !errors.Is(err, ErrGone) {
			return quiet(ctx, err)
		}
		if l.Gone != nil {
			l.Gone(err)
		}
		if c, err = await(ctx, device, systems); err != nil {
			return quiet(ctx, err)
		}
		if l.Back != nil {
			l.Back()
		}
	}
}

// quiet makes nothing of an error that is our own end.
func quiet(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // that is what it is for
	}
	return err
}

// deliver hands sound on until something ends it.
func (c *capture) deliver(ctx context.Context, l Listener) error {
	watch := time.NewTimer(deaf)
	defer watch.Stop()
	for {
		select {
		case samples := <-c.sound:
			watch.Reset(deaf)
			if err := l.Sound(samples); err != nil {
				return err
			}
		case <-c.gone:
			return ErrGone
		case <-watch.C:
			return ErrGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// await opens the device as soon as it is back.
func await(ctx context.Context, device string, systems []malgo.Backend) (*capture, error) {
	tick := time.NewTicker(retry)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if c, err := open(ctx, device, systems); err == nil {
			return c, nil
		}
	}
}
