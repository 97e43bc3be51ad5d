package conversation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/amd"
)

// toneWait is how long a mailbox may speak until its tone.
const toneWait = 20 * time.Second

// leaveMessage says the scenario's voicemail lines after the mailbox's tone, if it has any. The outcome is the
// machine's in any case.
func (s *conversationSession) leaveMessage(ctx context.Context) error {
	s.stopSpeaking()
	if s.detector.Decision().Verdict != amd.Voicemail || len(s.Scenario.Voicemail) == 0 {
		return errMachine
	}
	s.closing = true
	err := s.sayAfterTone(ctx)
	for _, end := range []error{errRemoteHungUp, errTooLong, carrier.ErrNoAudio} { // some mailboxes record without sending
		if errors.Is(err, end) {
			return errMachine
		}
	}
	return cmp.Or(err, errMachine)
}

func (s *conversationSession) sayAfterTone(ctx context.Context) error {
	for until := s.now + toneWait; !s.detector.IsToneOver(); {
		if s.now >= until {
			s.addError("voicemail_not_left", "No message was left, because the mailbox's tone did not come.")
			return nil
		}
		if err := s.nextFrame(ctx); err != nil {
			return err
		}
	}
	if err := s.sayLines(ctx, s.Scenario.Voicemail); err != nil {
		return err
	}
	return s.waitOnLine(ctx, silenceAtEnd)
}
