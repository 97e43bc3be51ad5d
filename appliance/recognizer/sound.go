package recognizer

import (
	"context"
	"io"
	"time"

	"munadi/appliance/quota"
	"munadi/engine"
	"munadi/engine/audio"
)

const (
	// orgDecoders limits the audio decoders and ffmpeg processes that run at once for one organization, allDecoders
	// those of all.
	orgDecoders = 8
	allDecoders = 4 * orgDecoders
)

// OpenedSound is an opened recording; *audio.SampleStream implements it.
type OpenedSound interface {
	engine.SampleSource
	io.Closer
}

// SoundOpener probes and opens a recording; longest limits its decoded duration. Errors are package audio's.
type SoundOpener func(
	ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice,
) (OpenedSound, error)

// NewSoundOpener returns an opener that shares decoders among organizations; ffmpeg returns the path of that program.
func NewSoundOpener(ffmpeg func() string) SoundOpener {
	slots := quota.NewSemaphore(allDecoders, orgDecoders)
	acquire := func(ctx context.Context) (release func(), err error) {
		org := engine.ClientOf(ctx).Organization
		return func() { slots.ReleaseSlot(org) }, slots.AcquireSlot(ctx, org)
	}
	return func(
		ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice,
	) (OpenedSound, error) {
		return audio.OpenStream(ctx, r, audio.DecodeOptions{
			MaxDuration: longest, Channel: channel, FFmpeg: ffmpeg(), AcquireSlot: acquire,
		})
	}
}
