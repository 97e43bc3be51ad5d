package speech

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"munadi/appliance/speech/bundle"
	"munadi/engine/text"
)

// Rate is the sample rate of what is spoken, in Hz.
const Rate = bundle.Rate

const (
	longestText = 4000             // bytes
	renderLimit = 45 * time.Second // for one text, through all links
	defaultKept = 32 << 20         // bytes of rendered sound
)

// Options say which links the chain has.
type Options struct {
	Bundle     *bundle.Bundle   // the bundled voice; required
	Recordings string           // folder with a folder of each organization's own recordings; empty: none
	Endpoint   *EndpointOptions // nil: none
	ESpeak     string           // the program; empty: espeak-ng as on PATH, "none": never
	Keep       int              // bytes of rendered sound in memory; 0: 32 MiB
	// Trouble is told of links that break, not of texts that they don't know; may be nil. Any goroutine may call it.
	Trouble func(Source, error)
}

// Chain is the Speaker that the appliance uses.
type Chain struct {
	options    Options
	recordings recordings
	bundled    bundled
	links      []link // behind the recordings
	kept       *kept
	rendering  singleflight.Group
}

// link is one way to speak. Its error is [ErrNoVoice] where it doesn't know the text, and errResting where it was
// not tried.
type link struct {
	source Source
	speak  func(context.Context, Request) ([]int16, error)
}

// errResting says that a link is left alone for a while, since it failed before.
var errResting = errors.New("it failed before and rests")

// New makes the chain.
func New(o Options) (*Chain, error) {
	if o.Bundle == nil {
		return nil, errors.New("speech needs the bundled voice")
	}
	if o.Keep == 0 {
		o.Keep = defaultKept
	}
	if o.Trouble == nil {
		o.Trouble = func(Source, error) {}
	}
	c := &Chain{options: o, bundled: newBundled(o.Bundle), kept: newKept(o.Keep)}
	c.recordings = recordings{folder: o.Recordings, bundle: o.Bundle}
	if o.Endpoint != nil {
		e, err := newEndpoint(*o.Endpoint)
		if err != nil {
			return nil, err
		}
		c.links = append(c.links, link{Endpoint, e.speak})
	}
	if e := findESpeak(o.ESpeak, c.bundled); e != nil {
		c.links = append(c.links, link{ESpeak, e.speak})
	}
	c.links = append(c.links, link{Blocks, c.bundled.join})
	return c, nil
}

// Speak renders a text, or finds it among what was rendered.
func (c *Chain) Speak(ctx context.Context, r Request) (Sound, error) {
	folded := text.Fold(r.Text)
	if folded == "" || len(r.Text) > longestText {
		return Sound{}, ErrNoVoice
	}
	own, err := c.recordings.find(r.OrgID, folded)
	if err != nil {
		c.options.Trouble(Recorded, err)
	}
	key := r.Voice + "\x00" + r.Text
	if own != nil {
		key = "\x00" + own.key()
	}
	if s, ok := c.kept.get(key); ok {
		return s, nil
	}
	done := c.rendering.DoChan(key, func() (any, error) {
		// Whoever gives up waiting doesn't take the sound from those who still do.
		rendering, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderLimit)
		defer cancel()
		return c.render(rendering, r, folded, own, key)
	})
	select {
	case <-ctx.Done():
		return Sound{}, ctx.Err()
	case result := <-done:
		if result.Err != nil {
			return Sound{}, result.Err
		}
		return result.Val.(Sound), nil
	}
}

func (c *Chain) render(ctx context.Context, r Request, folded string, own *recording, key string) (Sound, error) {
	whole := true // no link that might have spoken better was passed over
	if own != nil {
		pcm, err := own.load(ctx)
		if err == nil {
			return c.keep(key, Sound{pcm, Recorded}), nil
		}
		whole = false
		c.options.Trouble(Recorded, err)
	}
	if pcm := c.bundled.exact(folded); pcm != nil {
		return Sound{pcm, Recorded}, nil
	}
	for _, l := range c.links {
		pcm, err := l.speak(ctx, r)
		switch {
		case err == nil && whole:
			return c.keep(key, Sound{pcm, l.source}), nil
		case err == nil:
			return Sound{pcm, l.source}, nil
		case errors.Is(err, ErrNoVoice):
			continue
		case !errors.Is(err, errResting):
			c.options.Trouble(l.source, err)
		}
		whole = false
	}
	if err := ctx.Err(); err != nil {
		return Sound{}, fmt.Errorf("%w: %w", ErrNoVoice, err)
	}
	return Sound{}, ErrNoVoice
}

func (c *Chain) keep(key string, s Sound) Sound {
	c.kept.put(key, s)
	return s
}
