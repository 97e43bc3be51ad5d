package mic

import (
	"context"
	"errors"
	"time"

	"github.com/gen2brain/malgo"
)

// retry is the pause between two looks for a device that is gone.
const retry = time.Second

// SoundListener is told what a microphone hears. Both are called from one goroutine, one at a time.
type SoundListener struct {
	Sound func(samples []float32) error // 16 kHz mono in [-1, 1], some 20 ms; an error ends the listening
	// Gone says that the device has vanished and is waited for, with the reason; Back that it is there again. May be nil.
	Gone func(reason error)
	Back func()
}

// ListenTo hears a device until ctx ends (nil), or until the listener has had enough (its error): an identity or name of
// [ListDevices], or a part of a name that only one has; "" is the default device. The device must be there at first; one
// that vanishes later is opened again when it is back. ErrNoSoundSystem and ErrNoDevice say what is missing.
func ListenTo(ctx context.Context, device string, l SoundListener) error {
	return listenWith(ctx, device, l, soundSystems())
}

// soundSystems returns those that we know how to talk to, in the order in which they are tried.
func soundSystems() []malgo.Backend {
	return []malgo.Backend{
		malgo.BackendPulseaudio, malgo.BackendAlsa, malgo.BackendJack, malgo.BackendCoreaudio, malgo.BackendWasapi,
	}
}

func listenWith(ctx context.Context, device string, l SoundListener, systems []malgo.Backend) error {
	c, err := openDevice(ctx, device, systems)
	if err != nil {
		return ignoreCancel(ctx, err)
	}
	for {
		err := c.deliverSound(ctx, l)
		c.stop()
		if !errors.Is(err, ErrGone) {
			return ignoreCancel(ctx, err)
		}
		if l.Gone != nil {
			l.Gone(err)
		}
		if c, err = awaitDevice(ctx, device, systems); err != nil {
			return ignoreCancel(ctx, err)
		}
		if l.Back != nil {
			l.Back()
		}
	}
}

// ignoreCancel makes nothing of an error that is our own end.
func ignoreCancel(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // that is what it is for
	}
	return err
}

// deliverSound hands sound on until something ends it.
func (c *deviceCapture) deliverSound(ctx context.Context, l SoundListener) error {
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

// awaitDevice opens the device as soon as it is back.
func awaitDevice(ctx context.Context, device string, systems []malgo.Backend) (*deviceCapture, error) {
	tick := time.NewTicker(retry)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if c, err := openDevice(ctx, device, systems); err == nil {
			return c, nil
		}
	}
}
