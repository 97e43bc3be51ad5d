package mic

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gen2brain/malgo"
)

// null is miniaudio's null backend; malgo's own constant for it is one too low.
const null = malgo.Backend(14)

func TestListsTheDevicesOfASoundSystem(t *testing.T) {
	t.Parallel()
	devices, err := listDevices(t.Context(), null)
	if err != nil {
		t.Fatal(err)
	}
	if len(devices) != 1 || devices[0].Name == "" || !devices[0].Default {
		t.Errorf("the null sound system has one default device with a name, got %+v", devices)
	}
}

func TestSaysWhenThereIsNoSoundSystem(t *testing.T) {
	t.Parallel()
	const unknown = malgo.Backend(99)
	if _, err := listDevices(t.Context(), unknown); !errors.Is(err, ErrNoSoundSystem) {
		t.Errorf("error = %v, want ErrNoSoundSystem", err)
	}
}

// On any machine the result is a list of devices or ErrNoSoundSystem, without delay.
func TestDevicesOfThisMachine(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := ListDevices(ctx); err != nil && !errors.Is(err, ErrNoSoundSystem) {
		t.Error(err)
	}
}

func TestGivesUpWhenTheContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := listDevices(ctx, null); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that of the ended context", err)
	}
}
