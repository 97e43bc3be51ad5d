package simulator

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"munadi/appliance/carrier"
)

// party is who is at the other end of a line. Its clock is the ticks.
type party interface {
	// tick is one frame of the other side's time: it writes its sound to in, which is silent, and returns the keys that
	// were pressed, and whether it has hung up.
	tick(ctx context.Context, in []int16) (keys string, gone bool)
}

// line is an answered call.
type line struct {
	pace    pace
	ears    *playing // what we say
	party   party
	channel channel

	frame carrier.Frame // the one being made

	n    int  // frames given
	gone bool // the other side, or whoever it was, is no longer there

	hangup sync.Once
	hung   chan struct{}
}

// answer makes the line to a person.
func (s *Simulator) answer(who Person, number string, chance *rand.Rand) *line {
	l := &line{
		pace:    pace{scale: s.options.TimeScale, start: time.Now()},
		ears:    &playing{},
		channel: s.newChannel(who, chance),
		hung:    make(chan struct{}),
	}
	v := voice{bundle: s.options.Bundle, variant: voiceOf(number)}
	switch who {
	case Voicemail, Mailbox, SwitchedOff, Menu:
		l.party = newMachine(who, v)
	default:
		l.party = newHuman(who, v, l.ears, chance, s.options.Speak)
	}
	return l
}

// Next waits for the next frame.
func (l *line) Next(ctx context.Context) (carrier.Frame, error) {
	if err := l.over(ctx); err != nil {
		return carrier.Frame{}, err
	}
	l.pace.await(ctx, l.hung, l.n+1)
	if err := l.over(ctx); err != nil {
		return carrier.Frame{}, err
	}
	l.frame = carrier.Frame{At: time.Duration(l.n) * carrier.Tick}
	l.ears.next(l.frame.Out[:])
	l.frame.Digits, l.gone = l.party.tick(ctx, l.frame.In[:])
	if l.gone {
		return carrier.Frame{}, io.EOF
	}
	l.channel.pass(l.frame.In[:])
	l.n++
	return l.frame, nil
}

// over says why there is no next frame: our own end comes first.
func (l *line) over(ctx context.Context) error {
	select {
	case <-l.hung:
		return carrier.ErrHungUp
	default:
	}
	if l.gone {
		return io.EOF
	}
	return ctx.Err()
}

// Say queues sound.
func (l *line) Say(s carrier.Speech) { l.ears.add(s) }

// Flush forgets what is queued.
func (l *line) Flush() { l.ears.flush() }

// Queued is how much is still to be played.
func (l *line) Queued() time.Duration { return l.ears.left() }

// Transfer always succeeds where there is somebody to be connected with: the line is over for us.
func (l *line) Transfer(ctx context.Context, to string) error {
	if err := l.over(ctx); err != nil {
		return err
	}
	if to == "" {
		return errors.New("a transfer needs somebody to go to")
	}
	l.gone = true
	return nil
}

// Hangup ends the call.
func (l *line) Hangup() { l.hangup.Do(func() { close(l.hung) }) }
