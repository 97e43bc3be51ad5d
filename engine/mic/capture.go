package mic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gen2brain/malgo"
)

const (
	rate     = 16000 // Hz; miniaudio resamples the device's audio
	periodMS = 20
	backlog  = 500 // buffered periods without a reader: 10 s; later ones are lost
	// audioTimeout is the time without audio after which a device counts as removed.
	audioTimeout = 3 * time.Second
	// openTimeout is the timeout for opening a device.
	openTimeout = 10 * time.Second
)

// ErrNoDevice means that the machine has no such capture device, or none.
var ErrNoDevice = errors.New("no such microphone")

// ErrGone means that the device stopped delivering audio: it was unplugged, or its sound system ended.
var ErrGone = errors.New("the microphone stopped delivering audio")

// deviceCapture is an open capture device.
type deviceCapture struct {
	sound chan []float32 // periods of 16 kHz mono
	gone  chan struct{}  // closed when the device has stopped
	stop  func()         // stops the device; idempotent
}

// openDevice starts capturing from a device: an id or name of [ListDevices], or a unique part of a name; "" is the
// default device.
func openDevice(ctx context.Context, device string, systems []malgo.Backend) (*deviceCapture, error) {
	type answer struct {
		capture *deviceCapture
		err     error
	}
	answers := make(chan answer, 1)
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	go func() {
		c, err := beginCapture(device, systems)
		answers <- answer{c, err}
	}()
	select {
	case a := <-answers:
		return a.capture, a.err
	case <-ctx.Done():
		go func() { // if it opens after the timeout
			if a := <-answers; a.err == nil {
				a.capture.stop()
			}
		}()
		return nil, fmt.Errorf("opening the microphone: %w", context.Cause(ctx))
	}
}

func beginCapture(device string, systems []malgo.Backend) (c *deviceCapture, err error) {
	sound, err := malgo.InitContext(systems, malgo.ContextConfig{}, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoSoundSystem, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, sound.Uninit())
			sound.Free()
		}
	}()
	found, err := findDevice(sound.Context, device)
	if err != nil {
		return nil, err
	}
	c = &deviceCapture{sound: make(chan []float32, backlog), gone: make(chan struct{})}
	config := malgo.DefaultDeviceConfig(malgo.Capture)
	config.SampleRate, config.PeriodSizeInMilliseconds = rate, periodMS
	config.Capture.Format, config.Capture.Channels = malgo.FormatF32, 1
	config.Capture.DeviceID = found.ID.Pointer()
	config.Alsa.NoMMap = 1
	stopped := make(chan struct{}, 1)
	d, err := malgo.InitDevice(sound.Context, config, malgo.DeviceCallbacks{
		Data: func(_, in []byte, _ uint32) { c.takeSamples(in) }, Stop: func() { signalOnce(stopped) },
	})
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", found.Name(), err)
	}
	if err := d.Start(); err != nil {
		d.Uninit()
		return nil, fmt.Errorf("starting %s: %w", found.Name(), err)
	}
	end := make(chan struct{}, 1)
	c.stop = func() { signalOnce(end) }
	go c.watchDevice(d, sound, stopped, end)
	return c, nil
}

func signalOnce(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watchDevice waits for the device's end and frees it.
func (c *deviceCapture) watchDevice(d *malgo.Device, sound *malgo.AllocatedContext, stopped, end <-chan struct{}) {
	select {
	case <-stopped:
	case <-end:
	}
	close(c.gone)
	d.Uninit()
	_ = sound.Uninit() // nothing to do about an error
	sound.Free()
}

// takeSamples copies the device's audio; it runs on a C thread and must not block.
func (c *deviceCapture) takeSamples(in []byte) {
	samples := make([]float32, len(in)/4)
	for i := range samples {
		b := in[4*i : 4*i+4]
		samples[i] = math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	}
	select {
	case c.sound <- samples:
	default:
	}
}

// findDevice returns the device of an id or name.
func findDevice(sound malgo.Context, wanted string) (*malgo.DeviceInfo, error) {
	all, err := sound.Devices(malgo.Capture)
	if err != nil {
		return nil, fmt.Errorf("listing capture devices: %w", err)
	}
	var devices []CaptureDevice
	for _, d := range all {
		devices = append(devices, newCaptureDevice(d))
	}
	i, err := pickDevice(devices, wanted)
	if err != nil {
		return nil, err
	}
	return &all[i], nil
}

// pickDevice returns the index of the selected device.
func pickDevice(devices []CaptureDevice, wanted string) (int, error) {
	var alike []int
	first := -1
	for i, d := range devices {
		if d.isPhantom() {
			continue
		}
		if first < 0 {
			first = i
		}
		switch {
		case wanted == "" && d.Default, wanted != "" && (d.ID == wanted || d.Name == wanted || d.systemName() == wanted):
			return i, nil
		case wanted != "" && strings.Contains(strings.ToLower(d.Name), strings.ToLower(wanted)):
			alike = append(alike, i)
		}
	}
	switch {
	case wanted == "" && first >= 0:
		return first, nil
	case len(alike) == 1:
		return alike[0], nil
	case len(alike) > 1:
		return 0, fmt.Errorf("%w: %q matches %d devices; give the id or whole name of one", ErrNoDevice, wanted, len(alike))
	case wanted == "":
		return 0, fmt.Errorf("%w: this machine has no capture device", ErrNoDevice)
	}
	return 0, fmt.Errorf("%w: %q", ErrNoDevice, wanted)
}
