package mic

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gen2brain/malgo"
)

func TestListenHearsADevice(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	heard := 0
	err := listenWith(t.Context(), "", SoundListener{Sound: func(samples []float32) error {
		if heard += len(samples); heard < rate/5 {
			return nil
		}
		return enough
	}}, []malgo.Backend{null})
	if !errors.Is(err, enough) || heard < rate/5 {
		t.Errorf("%d samples, then %v", heard, err)
	}
}

func TestListenEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := listenWith(ctx, "", SoundListener{Sound: func([]float32) error { cancel(); return nil }}, []malgo.Backend{null})
	if err != nil {
		t.Error(err)
	}
}

func TestListenSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	never := SoundListener{Sound: func([]float32) error { t.Error("it heard something"); return nil }}
	if err := listenWith(t.Context(), "no such", never, []malgo.Backend{null}); !errors.Is(err, ErrNoDevice) {
		t.Errorf("error = %v, want ErrNoDevice", err)
	}
	if err := listenWith(t.Context(), "", never, []malgo.Backend{99}); !errors.Is(err, ErrNoSoundSystem) {
		t.Errorf("error = %v, want ErrNoSoundSystem", err)
	}
}

// TestGoneDevice: a device that stops, or delivers no audio for a while, is lost.
func TestGoneDevice(t *testing.T) {
	t.Parallel()
	c := &deviceCapture{sound: make(chan []float32), gone: make(chan struct{})}
	close(c.gone)
	if err := c.deliverSound(t.Context(), SoundListener{}); !errors.Is(err, ErrGone) {
		t.Errorf("stopped: %v", err)
	}
	c.gone = make(chan struct{})
	began := time.Now()
	if err := c.deliverSound(t.Context(), SoundListener{}); !errors.Is(err, ErrGone) || time.Since(began) < audioTimeout {
		t.Errorf("without audio: %v after %v", err, time.Since(began))
	}
}

func TestPick(t *testing.T) {
	t.Parallel()
	const silence, converter = "6e756c6c", "6c617672617465" // null, lavrate
	devices := []CaptureDevice{
		{ID: silence, Name: "Discard all samples", Default: true},
		{ID: converter, Name: "Rate Converter Plugin"},
		{ID: "61", Name: "USB Microphone"},
		{ID: "62", Name: "Webcam", Default: true},
		{ID: "63", Name: "Webcam 2"},
	}
	for wanted, want := range map[string]int{
		"": 3, "61": 2, "a": 2, "Webcam": 3, "usb": 2, "cam 2": 4, "webc": -1, "x": -1, silence: -1, "plugin": -1,
	} {
		got, err := pickDevice(devices, wanted)
		if (err == nil) != (want >= 0) || (err == nil && got != want) {
			t.Errorf("%q: %d, %v; want %d", wanted, got, err, want)
		}
	}
	if _, err := pickDevice(devices[:2], ""); !errors.Is(err, ErrNoDevice) {
		t.Errorf("none: %v", err)
	}
}
