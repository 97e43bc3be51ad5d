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

// lineParty is the remote side of a line. Its clock is the ticks.
type lineParty interface {
	// tick simulates one frame: it writes audio to in, which is zeroed, and returns the pressed keys, and whether the
	// party hung up.
	tick(ctx context.Context, in []int16) (keys string, gone bool)
}

// simulatedLine is an answered call.
type simulatedLine struct {
	pace    framePacer
	ears    *playQueue // the platform's audio
	party   lineParty
	channel lineChannel

	frame carrier.Frame // the current frame

	n            int  // number of frames returned
	remoteHungUp bool // the remote side hung up

	hangup sync.Once
	hung   chan struct{}
}

// answerCall creates the line to a person.
func (s *Simulator) answerCall(who Person, number string, chance *rand.Rand) *simulatedLine {
	l := &simulatedLine{
		pace:    framePacer{scale: s.options.TimeScale, start: time.Now()},
		ears:    &playQueue{},
		channel: s.newChannel(who, chance),
		hung:    make(chan struct{}),
	}
	v := personVoice{bundle: s.options.Bundle, variant: voiceOf(number)}
	switch who {
	case Voicemail, Mailbox, SwitchedOff, Menu:
		l.party = newMachine(who, v)
	default:
		l.party = newHuman(who, v, l.ears, chance, s.options.Speak)
	}
	return l
}

// Next waits for the next frame.
func (l *simulatedLine) Next(ctx context.Context) (carrier.Frame, error) {
	if err := l.endReason(ctx); err != nil {
		return carrier.Frame{}, err
	}
	l.pace.awaitFrames(ctx, l.hung, l.n+1)
	if err := l.endReason(ctx); err != nil {
		return carrier.Frame{}, err
	}
	l.frame = carrier.Frame{At: time.Duration(l.n) * carrier.Tick}
	l.ears.playFrame(l.frame.Out[:])
	l.frame.Digits, l.remoteHungUp = l.party.tick(ctx, l.frame.In[:])
	if l.remoteHungUp {
		return carrier.Frame{}, io.EOF
	}
	l.channel.passFrame(l.frame.In[:])
	l.n++
	return l.frame, nil
}

// endReason returns why there is no next frame; our own hang-up has precedence.
func (l *simulatedLine) endReason(ctx context.Context) error {
	select {
	case <-l.hung:
		return carrier.ErrHungUp
	default:
	}
	if l.remoteHungUp {
		return io.EOF
	}
	return ctx.Err()
}

// Say queues audio.
func (l *simulatedLine) Say(s carrier.Speech) { l.ears.addSpeech(s) }

// Flush discards queued audio.
func (l *simulatedLine) Flush() { l.ears.flushQueue() }

// Queued returns the duration of the queued audio.
func (l *simulatedLine) Queued() time.Duration { return l.ears.remainingTime() }

// Transfer succeeds whenever the target is not empty: the line then ends for us.
func (l *simulatedLine) Transfer(ctx context.Context, to string) error {
	if err := l.endReason(ctx); err != nil {
		return err
	}
	if to == "" {
		return errors.New("a transfer needs a target: a number or a SIP address")
	}
	l.remoteHungUp = true
	return nil
}

// Hangup ends the call.
func (l *simulatedLine) Hangup() { l.hangup.Do(func() { close(l.hung) }) }
