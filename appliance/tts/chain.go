package tts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"munadi/appliance/tts/voicepack"
	"munadi/engine/arabic"
)

// Rate is the sample rate of what is spoken, in Hz.
const Rate = voicepack.Rate

const (
	longestText = 4000             // bytes
	renderLimit = 45 * time.Second // for one text, through all links
	defaultKept = 32 << 20         // bytes of rendered sound
)

// ChainOptions say which links the chain has.
type ChainOptions struct {
	Bundle     *voicepack.VoicePack // the bundled voice; required
	Recordings string               // folder with a folder of each organization's own recordings; empty: none
	Endpoint   *EndpointOptions     // nil: none
	ESpeak     string               // the program; empty: espeak-ng as on PATH, "none": never
	Keep       int                  // bytes of rendered sound in memory; 0: 32 MiB
	// Trouble is told of links that break, not of texts that they don't know; may be nil. Any goroutine may call it.
	Trouble func(VoiceSource, error)
}

// VoiceChain is the Speaker that the appliance uses.
type VoiceChain struct {
	options    ChainOptions
	recordings operatorRecordings
	bundled    packVoice
	links      []chainLink // behind the recordings
	kept       *soundCache
	rendering  singleflight.Group
}

// chainLink is one way to speak. Its error is [ErrNoVoice] where it doesn't know the text, and errResting where it was
// not tried.
type chainLink struct {
	source VoiceSource
	speak  func(context.Context, SpeechRequest) ([]int16, error)
}

// errResting says that a link is left alone for a while, since it failed before.
var errResting = errors.New("it failed before and rests")

// NewChain makes the chain.
func NewChain(o ChainOptions) (*VoiceChain, error) {
	if o.Bundle == nil {
		return nil, errors.New("speech needs the bundled voice")
	}
	if o.Keep == 0 {
		o.Keep = defaultKept
	}
	if o.Trouble == nil {
		o.Trouble = func(VoiceSource, error) {}
	}
	c := &VoiceChain{options: o, bundled: newBundled(o.Bundle), kept: newKept(o.Keep)}
	c.recordings = operatorRecordings{folder: o.Recordings, bundle: o.Bundle}
	if o.Endpoint != nil {
		e, err := newEndpoint(*o.Endpoint)
		if err != nil {
			return nil, err
		}
		c.links = append(c.links, chainLink{Endpoint, e.synthesize})
	}
	if e := findESpeak(o.ESpeak, c.bundled); e != nil {
		c.links = append(c.links, chainLink{ESpeak, e.synthesize})
	}
	c.links = append(c.links, chainLink{Blocks, c.bundled.joinBlocks})
	return c, nil
}

// Speak renders a text, or finds it among what was rendered.
func (c *VoiceChain) Speak(ctx context.Context, r SpeechRequest) (SpokenSound, error) {
	folded := arabic.FoldSpelling(r.Text)
	if folded == "" || len(r.Text) > longestText {
		return SpokenSound{}, ErrNoVoice
	}
	own, err := c.recordings.findRecording(r.OrgID, folded)
	if err != nil {
		c.options.Trouble(Recorded, err)
	}
	key := r.Voice + "\x00" + r.Text
	if own != nil {
		key = "\x00" + own.cacheKey()
	}
	if s, ok := c.kept.getSound(key); ok {
		return s, nil
	}
	done := c.rendering.DoChan(key, func() (any, error) {
		// Whoever gives up waiting doesn't take the sound from those who still do.
		rendering, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderLimit)
		defer cancel()
		return c.renderText(rendering, r, folded, own, key)
	})
	select {
	case <-ctx.Done():
		return SpokenSound{}, ctx.Err()
	case result := <-done:
		if result.Err != nil {
			return SpokenSound{}, result.Err
		}
		return result.Val.(SpokenSound), nil
	}
}

func (c *VoiceChain) renderText(ctx context.Context, r SpeechRequest, folded string, own *operatorRecording, key string) (SpokenSound, error) {
	whole := true // no link that might have spoken better was passed over
	if own != nil {
		pcm, err := own.loadSound(ctx)
		if err == nil {
			return c.keepRendered(key, SpokenSound{pcm, Recorded}), nil
		}
		whole = false
		c.options.Trouble(Recorded, err)
	}
	if pcm := c.bundled.findExact(folded); pcm != nil {
		return SpokenSound{pcm, Recorded}, nil
	}
	for _, l := range c.links {
		pcm, err := l.speak(ctx, r)
		switch {
		case err == nil && whole:
			return c.keepRendered(key, SpokenSound{pcm, l.source}), nil
		case err == nil:
			return SpokenSound{pcm, l.source}, nil
		case errors.Is(err, ErrNoVoice):
			continue
		case !errors.Is(err, errResting):
			c.options.Trouble(l.source, err)
		}
		whole = false
	}
	if err := ctx.Err(); err != nil {
		return SpokenSound{}, fmt.Errorf("%w: %w", ErrNoVoice, err)
	}
	if !whole {
		return SpokenSound{}, fmt.Errorf("%w: %w", ErrNoVoice, ErrVoiceFailed)
	}
	return SpokenSound{}, ErrNoVoice
}

func (c *VoiceChain) keepRendered(key string, s SpokenSound) SpokenSound {
	c.kept.putSound(key, s)
	return s
}
