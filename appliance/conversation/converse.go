package conversation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/store/scenario"
)

const (
	silenceAtEnd = 300 * time.Millisecond // silence after the last words
	mostSteps    = 2000                   // steps of one call; only an unchecked scenario takes more
)

// runConversation holds the conversation; nil means that it came to its end.
func (s *conversationSession) runConversation(ctx context.Context) error {
	err := s.speakIntroduction(ctx)
	if err == nil && s.Joined != nil {
		return s.giveToJoined(ctx)
	}
	if err == nil {
		err = s.runSteps(ctx, s.Scenario.FirstStep())
	}
	for {
		var wish *intentInterruption
		var staff *takeOverInterruption
		if errors.As(err, &wish) {
			err = s.followIntent(ctx, wish.intent)
		} else if errors.As(err, &staff) {
			err = s.giveCallAway(ctx, staff.by)
		} else {
			break
		}
	}
	s.TakeOvers = nil // the call ends
	if errors.Is(err, errMachine) {
		return s.leaveMessage(ctx)
	}
	if err != nil {
		return err
	}
	return s.finishListening(ctx)
}

// speakIntroduction speaks the disclosure and the recording notice.
func (s *conversationSession) speakIntroduction(ctx context.Context) error {
	s.expectPhrases(nil, nil)
	if s.Joined == nil {
		if err := s.awaitTurn(ctx); err != nil {
			return err
		}
	}
	var lines scenario.SpokenLines
	if s.Disclosure != "" {
		lines = append(lines, scenario.SpokenLine{Text: s.Disclosure})
	}
	if s.Announce {
		lines = append(lines, s.commonLines(recordingNotice)...)
	}
	for _, line := range lines {
		if _, err := s.synthesizeText(ctx, line.Text); errors.Is(err, errVoice) {
			return errNoVoice
		} else if err != nil {
			return err
		}
	}
	err := s.sayLines(ctx, lines)
	s.introduced = err == nil
	return err
}

// waitOnLine reads frames for a duration of line time.
func (s *conversationSession) waitOnLine(ctx context.Context, d time.Duration) error {
	for until := s.now + d; s.now < until; {
		if err := s.nextFrame(ctx); err != nil {
			return err
		}
	}
	return nil
}

// finishListening processes the last words and leaves the conversation.
func (s *conversationSession) finishListening(ctx context.Context) error {
	s.closing = true
	err := s.awaitPlayed(ctx)
	if err == nil {
		err = s.waitOnLine(ctx, silenceAtEnd)
	}
	return ignoreError(err, errRemoteHungUp) // the conversation was over
}

// runSteps runs the steps, beginning with step i.
func (s *conversationSession) runSteps(ctx context.Context, i int) error {
	for n := 0; i < len(s.Scenario.Steps); n++ {
		if n == mostSteps {
			return fmt.Errorf("scenario %s has an endless loop of steps", s.Scenario.ID)
		}
		next, err := s.runStep(ctx, i)
		if err != nil {
			return err
		}
		s.firstStepHeard = true
		i = next
	}
	return nil
}

// runStep runs step i and returns the index of the next one.
func (s *conversationSession) runStep(ctx context.Context, i int) (next int, err error) {
	step := s.Scenario.Steps[i]
	s.step, next = i, s.Scenario.NextStep(i, step.Next)
	s.ran[i] = true
	if s.OnStep != nil {
		s.OnStep(step.ID)
	}
	switch step.Type {
	case scenario.Say:
		s.told = step.Say
		return next, s.sayLines(ctx, step.Say)
	case scenario.Ask:
		return s.runAskStep(ctx, i)
	case scenario.Branch:
		return s.runBranch(i), nil
	case scenario.Transfer:
		return s.runTransfer(ctx, i)
	case scenario.LLMStep:
		return s.runModelStep(ctx, i)
	case scenario.Fetch:
		return s.runFetchStep(ctx, i)
	case scenario.End:
		s.closing, s.followUpAtEnd = true, step.NeedsPerson
		return len(s.Scenario.Steps), ignoreError(s.sayLines(ctx, step.Say), errRemoteHungUp)
	}
	return 0, fmt.Errorf("step %s has an unknown type", step.ID)
}

// stepID returns the id of the running step; empty before the first one.
func (s *conversationSession) stepID() string {
	if len(s.ran) == 0 {
		return ""
	}
	return s.Scenario.Steps[s.step].ID
}

// runBranch returns the step of the first case whose condition is true.
func (s *conversationSession) runBranch(i int) int {
	step := s.Scenario.Steps[i]
	for _, k := range step.Cases {
		v := s.slotValue(k.Slot)
		known := v != nil && v != ""
		if k.IsSet != nil && *k.IsSet == known || k.IsSet == nil && known && equalScalars(v, k.Equals) {
			return s.Scenario.FindStep(k.Next)
		}
	}
	return s.Scenario.NextStep(i, step.Next)
}

// equalScalars compares scalars by their text: the string "2" of a variable equals the number 2 of a slot.
func equalScalars(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// followIntent carries out an intent of the other side that ends the planned conversation.
func (s *conversationSession) followIntent(ctx context.Context, i callerIntent) error {
	s.stopSpeaking()
	if i == agent {
		s.addError("agent_requested", "The person asked to be connected with somebody.")
		if at := s.transferStep(); at >= 0 && !s.transferTried {
			return s.runSteps(ctx, at)
		}
	}
	s.closing = true
	farewell := []commonText{callLater, goodbyeText}
	switch i {
	case optOut:
		farewell = []commonText{optOutDone}
	case wrongNumber:
		s.addError("wrong_number", "The person says that the number is not that of who was to be called.")
		farewell = []commonText{wrongNumberText, goodbyeText}
	case busy:
		s.addError("call_later", "The person asked to be called later.")
	case goodbye:
		s.addError("goodbye", "The person said goodbye instead of answering.")
		farewell = []commonText{goodbyeText}
	}
	return ignoreError(s.sayCommonTexts(ctx, farewell...), errRemoteHungUp)
}

// transferStep returns the index of the scenario's first transfer; -1 without one.
func (s *conversationSession) transferStep() int {
	for i, step := range s.Scenario.Steps {
		if step.Type == scenario.Transfer {
			return i
		}
	}
	return -1
}
