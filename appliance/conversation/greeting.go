package conversation

import (
	"context"
	"slices"
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
)

// The person speaks first. The platform waits for the end of the greeting.
const (
	greetingWait  = 2500 * time.Millisecond // from the answer, for a greeting to begin
	greetingLimit = 5 * time.Second         // from the answer, for it to end: a recorded one may be long
	greetingPause = 300 * time.Millisecond  // of quiet that ends it
	greetingSound = 200 * time.Millisecond  // minimum sound of a greeting: a click is shorter
	greetingFloor = 300                     // level of the softest one, root mean square
	greetingDrop  = 0.1                     // share of the loudest frame's level below which a frame is quiet
)

// greetingTracker detects the end of the greeting by its level, before the recognizer ends the turn.
type greetingTracker struct {
	peak         float64
	sound, quiet time.Duration
}

func (g *greetingTracker) pushFrame(in []int16) {
	level := audio.MeasureRMS(in)
	g.peak = max(g.peak, level)
	if level < greetingFloor || level < greetingDrop*g.peak {
		g.quiet += carrier.Tick
		return
	}
	g.sound, g.quiet = g.sound+carrier.Tick, 0
}

func (g *greetingTracker) isOver() bool { return g.sound >= greetingSound && g.quiet >= greetingPause }

// pickUpPause is the silence between our answer of an inbound call and the first word, which the network may clip.
const pickUpPause = 500 * time.Millisecond

// awaitTurn returns when the platform may speak its first words: who answers a call speaks first.
func (s *conversationSession) awaitTurn(ctx context.Context) error {
	if s.PersonCalled {
		return s.waitOnLine(ctx, pickUpPause)
	}
	return s.awaitGreeting(ctx)
}

// awaitGreeting lets the person finish their greeting. If none begins, the platform speaks after greetingWait.
func (s *conversationSession) awaitGreeting(ctx context.Context) error {
	s.greeting = &greetingTracker{}
	defer func() { s.greeting = nil }()
	for {
		if err := s.nextFrame(ctx); err != nil {
			return err
		}
		spoken := slices.ContainsFunc(s.turns, func(t speechTurn) bool { return len(t.words) > 0 })
		waiting := s.now < greetingWait || s.ears.talking && s.now < greetingLimit
		if s.greeting.isOver() {
			s.noteAnswered(s.now - s.greeting.quiet)
		}
		if spoken || s.pressed != "" || s.greeting.isOver() || !waiting {
			return nil
		}
	}
}
