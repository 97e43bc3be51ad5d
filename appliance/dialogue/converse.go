package dialogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/scenario"
)

const (
	opening   = 300 * time.Millisecond // before the first word: lines open slowly
	tail      = 300 * time.Millisecond // behind the last
	mostSteps = 2000                   // steps of one call; only a scenario that was never checked takes more
	transfer  = carrier.Unread
)

// converse holds the conversation; nil: it came to its end.
func (s *session) converse(ctx context.Context) error {
	err := s.introduce(ctx)
	if err == nil {
		err = s.walk(ctx, s.Scenario.First())
	}
	for {
		var wish *interruption
		if !errors.As(err, &wish) {
			break
		}
		err = s.heed(ctx, wish.intent)
	}
	if err != nil {
		return err
	}
	return s.end(ctx)
}

// introduce says what must be said before anything else.
func (s *session) introduce(ctx context.Context) error {
	s.expect(nil, nil)
	if err := s.rest(ctx, opening); err != nil {
		return err
	}
	var lines scenario.Lines
	if s.Disclosure != "" {
		lines = append(lines, scenario.Line{Text: s.Disclosure})
	}
	if s.Announce {
		lines = append(lines, s.commons(recordingNotice)...)
	}
	for _, line := range lines {
		if _, err := s.voice(ctx, line.Text); errors.Is(err, errVoice) {
			return errNoVoice
		} else if err != nil {
			return err
		}
	}
	return s.tell(ctx, lines)
}

// rest lets some time of the line pass.
func (s *session) rest(ctx context.Context, d time.Duration) error {
	for until := s.now + d; s.now < until; {
		if err := s.tick(ctx); err != nil {
			return err
		}
	}
	return nil
}

// end hears the last words out and leaves.
func (s *session) end(ctx context.Context) error {
	s.closing = true
	err := s.played(ctx)
	if err == nil {
		err = s.rest(ctx, tail)
	}
	return unless(err, errGone) // it was over anyway
}

// walk takes the steps from step i on.
func (s *session) walk(ctx context.Context, i int) error {
	for n := 0; i < len(s.Scenario.Steps); n++ {
		if n == mostSteps {
			return fmt.Errorf("scenario %s goes round in circles", s.Scenario.ID)
		}
		next, err := s.step(ctx, i)
		if err != nil {
			return err
		}
		s.turnOne = true
		i = next
	}
	return nil
}

// step takes step i and returns the one that follows.
func (s *session) step(ctx context.Context, i int) (next int, err error) {
	step := s.Scenario.Steps[i]
	next = s.Scenario.Next(i, step.Next)
	switch step.Type {
	case scenario.Say:
		return next, s.tell(ctx, step.Say)
	case scenario.Ask:
		return s.ask(ctx, i)
	case scenario.Branch:
		return s.branch(i), nil
	case scenario.Transfer:
		return s.transfer(ctx, i)
	case scenario.LLMStep:
		return s.model(ctx, i)
	case scenario.End:
		s.closing = true
		return len(s.Scenario.Steps), unless(s.tell(ctx, step.Say), errGone)
	}
	return 0, fmt.Errorf("step %s has no type that is known", step.ID)
}

// branch finds the first case that holds.
func (s *session) branch(i int) int {
	step := s.Scenario.Steps[i]
	for _, k := range step.Cases {
		v := s.value(k.Slot)
		known := v != nil && v != ""
		if k.IsSet != nil && *k.IsSet == known || k.IsSet == nil && known && equal(v, k.Equals) {
			return s.Scenario.Find(k.Next)
		}
	}
	return s.Scenario.Next(i, step.Next)
}

// equal compares scalars by how they are written: a variable's "2" is a slot's 2.
func equal(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// transfer connects the other side with somebody else.
func (s *session) transfer(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	s.sentAway = true
	lines := step.Say
	if len(lines) == 0 {
		lines = s.commons(transferring)
	}
	if err := s.tell(ctx, lines); err != nil {
		return 0, err
	}
	inner, cancel := context.WithTimeout(ctx, transfer)
	defer cancel()
	err := s.Line.Transfer(inner, step.To)
	switch {
	case err == nil:
		return 0, errMoved
	case ctx.Err() != nil:
		return 0, ctx.Err()
	}
	s.trouble("transfer_failed", "The call could not be connected with the person it was to go on with.")
	return s.Scenario.Next(i, cmp.Or(step.OnFailure, step.Next)), nil
}

// heed does what the other side wants instead of the conversation as planned.
func (s *session) heed(ctx context.Context, i intent) error {
	s.cut()
	if i == agent {
		s.trouble("agent_requested", "The person asked to be connected with somebody.")
		if at := s.transferStep(); at >= 0 && !s.sentAway {
			return s.walk(ctx, at)
		}
	}
	s.closing = true
	farewell := []common{callLater, goodbyeText}
	switch i {
	case optOut:
		farewell = []common{optOutDone}
	case wrongNumber:
		s.trouble("wrong_number", "The person says that the number is not that of who was to be called.")
		farewell = []common{wrongNumberText, goodbyeText}
	case busy:
		s.trouble("call_later", "The person asked to be called later.")
	case goodbye:
		s.trouble("goodbye", "The person said goodbye instead of answering.")
		farewell = []common{goodbyeText}
	}
	return unless(s.tellCommon(ctx, farewell...), errGone)
}

// transferStep is the index of the scenario's first transfer; -1 without one.
func (s *session) transferStep() int {
	for i, step := range s.Scenario.Steps {
		if step.Type == scenario.Transfer {
			return i
		}
	}
	return -1
}
