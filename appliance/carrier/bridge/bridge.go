// Package bridge joins two answered lines in this process (back-to-back user agent): what one side says and presses is
// passed to the other. Each line decodes into linear PCM at 8 and, on a wideband line, 16 kHz, and encodes in its own
// codec, so the two may differ; G.711 of the same law passes unchanged.
//
// The package knows lines alone: who is dialled, and who may be, is the business of its users.
package bridge

import (
	"context"
	"time"

	"munadi/appliance/carrier"
)

// mostQueued is how much audio may wait on a line: beyond it frames are dropped, so that a delay of this process, or a
// call on hold, leaves no lasting delay in the conversation.
const mostQueued = 120 * time.Millisecond

// Bridge joins the line of a call with that of a person who takes it. It belongs to one goroutine, and so do both lines
// while it is used.
type Bridge struct {
	Near carrier.Line // of the call
	Far  carrier.Line // of the person who takes it

	NoTone bool // the call hears no hold tone before the far side's first sound

	FarHeld bool // the far side held the call in the last frame

	heard bool // the far side made a sound
	waits bool // the call hears the hold tone
	tone  HoldTone
}

// FarError is the end of the far line, while the call itself is up.
type FarError struct{ Err error }

// Error returns the far line's error.
func (e *FarError) Error() string {
	return "the line to the person who took the call ended: " + e.Err.Error()
}

// Unwrap returns the far line's error.
func (e *FarError) Unwrap() error { return e.Err }

// PassFrame waits for the next frame of both lines, passes each to the other side and returns the call's. Until the far
// side makes its first sound, the call hears the hold tone: a person who answers is silent for a moment, and a line
// without audio must not be mistaken for one. While the far side holds the call and sends no music of its own, the call
// hears it, too. An error is that of the call's line, or a [*FarError].
func (b *Bridge) PassFrame(ctx context.Context) (carrier.Frame, error) {
	near, err := nextFrame(ctx, b.Near)
	if err != nil {
		return near, err
	}
	far, err := nextFrame(ctx, b.Far)
	if err != nil {
		return near, &FarError{err}
	}
	passSound(b.Far, &near)
	b.passFar(&far)
	carrier.SendKeys(b.Far, near.Digits)
	carrier.SendKeys(b.Near, far.Digits)
	return near, nil
}

// passFar plays a frame of the far side, or the hold tone, to the call.
func (b *Bridge) passFar(far *carrier.Frame) {
	sounds := hasSound(far)
	b.heard = b.heard || sounds
	b.FarHeld = far.Held
	waits := !b.heard && !b.NoTone || far.Held && !sounds
	if b.waits && !waits {
		b.Near.Flush()
	}
	if b.waits = waits; waits {
		b.tone.PlayOn(b.Near)
		return
	}
	passSound(b.Near, far)
}

// mostUnread is how many frames may wait on a line: of more, all but the last are skipped, with their digits kept.
const mostUnread = 2

// nextFrame waits for the next frame of a line.
func nextFrame(ctx context.Context, l carrier.Line) (f carrier.Frame, err error) {
	digits := ""
	for skipping := carrier.CountUnread(l) > mostUnread; ; {
		if f, err = l.Next(ctx); err != nil {
			return f, err
		}
		digits += f.Digits
		if !skipping || carrier.CountUnread(l) == 0 {
			f.Digits = digits
			return f, nil
		}
	}
}

// passSound plays a frame that was received on one line on the other.
func passSound(to carrier.Line, f *carrier.Frame) {
	if to.Queued()-time.Duration(carrier.CountUnread(to))*carrier.Tick > mostQueued {
		return
	}
	said := carrier.Speech{PCM: append([]int16(nil), f.In[:]...)}
	if f.Wide != nil {
		said.Wide = append([]int16(nil), f.Wide[:]...)
	}
	to.Say(said)
}

// leastSound is the level below which a sample counts as silence: G.711 has no smaller step than 8.
const leastSound = 16

// hasSound reports whether a frame is more than the silence of a line.
func hasSound(f *carrier.Frame) bool {
	for _, s := range f.In {
		if s > leastSound || s < -leastSound {
			return true
		}
	}
	return false
}
