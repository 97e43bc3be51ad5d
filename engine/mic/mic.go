// Package mic lists the machine's capture devices and records from them. It is a leaf and the sole importer of malgo
// (miniaudio), which loads PulseAudio, ALSA or JACK at run time: the binary starts on a machine without any of them.
//
// malgo holds one lock while it lists devices and acquires it again to write a log line, so a sound system that logs
// while it is listed would deadlock the caller: the listing runs on a goroutine that is abandoned when the caller's
// context ends. The sound systems are listed explicitly, as the default list ends with miniaudio's null device, so that
// every machine would seem to have a microphone. ALSA's null device and its converters are left out too: ALSA lists
// them on every machine, with or without sound.
package mic

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gen2brain/malgo"
)

// phantoms are the names of ALSA's devices that exist without any hardware.
var phantoms = []string{
	"null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "jack", "oss", "pulse", "pipewire",
}

// ErrNoSoundSystem means that the machine has no supported sound system.
var ErrNoSoundSystem = errors.New("no sound system: neither PulseAudio, ALSA nor JACK could be opened")

// CaptureDevice is one capture device.
type CaptureDevice struct {
	ID      string // the sound system's identifier, in hexadecimal; stable while the device is plugged in
	Name    string // for display
	Default bool
}

// DeviceNames returns the names of the capture devices, the default one first; see [ListDevices].
func DeviceNames(ctx context.Context) ([]string, error) {
	devices, err := ListDevices(ctx)
	var names []string
	for _, d := range devices {
		if d.Default {
			names = slices.Insert(names, 0, d.Name)
		} else {
			names = append(names, d.Name)
		}
	}
	return names, err
}

// ListDevices lists the capture devices of the first sound system that responds; there may be none. It returns
// ErrNoSoundSystem without one, and ctx's error on a timeout.
func ListDevices(ctx context.Context) ([]CaptureDevice, error) {
	return listDevices(ctx, soundSystems()...)
}

func listDevices(ctx context.Context, systems ...malgo.Backend) ([]CaptureDevice, error) {
	type answer struct {
		devices []CaptureDevice
		err     error
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("listing capture devices: %w", err)
	}
	answers := make(chan answer, 1)
	go func() {
		devices, err := enumerateDevices(systems)
		answers <- answer{devices, err}
	}()
	select {
	case a := <-answers:
		return a.devices, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("listing capture devices: %w", ctx.Err())
	}
}

func enumerateDevices(systems []malgo.Backend) (devices []CaptureDevice, err error) {
	sound, err := malgo.InitContext(systems, malgo.ContextConfig{}, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoSoundSystem, err)
	}
	defer func() {
		err = errors.Join(err, sound.Uninit())
		sound.Free()
	}()
	found, err := sound.Devices(malgo.Capture)
	if err != nil {
		return nil, fmt.Errorf("listing capture devices: %w", err)
	}
	for _, d := range found {
		if one := newCaptureDevice(d); !one.isPhantom() {
			devices = append(devices, one)
		}
	}
	return devices, nil
}

func newCaptureDevice(d malgo.DeviceInfo) CaptureDevice {
	return CaptureDevice{ID: d.ID.String(), Name: d.Name(), Default: d.IsDefault != 0}
}

// systemName returns the sound system's identifier of a device as text.
func (d CaptureDevice) systemName() string {
	name, err := hex.DecodeString(d.ID)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(name), "\x00")
}

// isPhantom reports whether the device exists without any hardware.
func (d CaptureDevice) isPhantom() bool { return slices.Contains(phantoms, d.systemName()) }
