package mic

import (
	"context"
	"errors"
	"time"

	"github.com/gen2brain/malgo"
)

// reopenInterval is the interval of attempts to reopen a lost device.
const reopenInterval = time.Second

// SoundListener receives the audio of a microphone. Both functions are called from one goroutine.
type SoundListener struct {
	Sound func(samples []float32) error // 16 kHz mono in [-1, 1], about 20 ms; an error stops listening
	// Gone is called with the reason when the device is lost, and Back when it is available again. May be nil.
	Gone func(reason error)
	Back func()
}

// ListenTo records from a device until ctx ends (nil), or until the listener returns an error: an id or name of
// [ListDevices], or a unique part of a name; "" is the default device. The device must exist at the start; if it is
// lost later it is reopened. ErrNoSoundSystem and ErrNoDevice mean that it cannot be opened.
func ListenTo(ctx context.Context, device string, l SoundListener) error {
	return listenWith(ctx, device, l, soundSystems())
}

// soundSystems returns the supported sound systems, in the order in which they are tried.
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

// ignoreCancel returns nil for an error caused by our own stop.
func ignoreCancel(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // ctx ended the recording
	}
	return err
}

// deliverSound delivers audio until ctx or the device ends, or the listener returns an error.
func (c *deviceCapture) deliverSound(ctx context.Context, l SoundListener) error {
	watch := time.NewTimer(audioTimeout)
	defer watch.Stop()
	for {
		select {
		case samples := <-c.sound:
			watch.Reset(audioTimeout)
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

// awaitDevice reopens the device when it is available again.
func awaitDevice(ctx context.Context, device string, systems []malgo.Backend) (*deviceCapture, error) {
	tick := time.NewTicker(reopenInterval)
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
