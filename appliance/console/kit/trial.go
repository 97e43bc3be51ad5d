package kit

import (
	"context"
	"encoding/json"
	"time"

	"munadi/store/call"
	"munadi/store/scenario"
)

// maxTrials is the number of concurrent trials; a trial may wait for a language model.
const maxTrials = 4

// TrialRequest is a draft to be tried in writing, with the answers given.
type TrialRequest struct {
	OrgID     string
	Scenario  scenario.Scenario
	Variables map[string]any
	Answers   []string
	Replies   []string  // earlier replies of the language model
	Now       time.Time // when the call is answered; zero: now
	ToEnd     bool      // the person is silent after the last answer
}

// TakeOverRequest is a member of staff who takes a running call over; as takeover.Request.
type TakeOverRequest struct {
	OrgID, CallID string
	Actor         string
	Begun         func(ctx context.Context) error
	HandedBack    func(ctx context.Context)
}

// TrialOutcome is the state of its conversation.
type TrialOutcome struct {
	Messages    []call.Message
	Slots       map[string]any
	Waiting     bool
	Slot, Kind  string
	Phrases     []string
	Status      call.CallStatus
	Reason      call.FailureReason
	Errors      []call.CallError
	Report      json.RawMessage
	Transferred string
	Suppressed  bool
	Steps       []string // ids of the steps that were reached
	Replies     []string
	Model       string // use of the language model: asked, missing, failed; empty: not needed
}

// RunTrial runs a trial when a slot is free.
func (s *Console) RunTrial(ctx context.Context, r TrialRequest) (TrialOutcome, error) {
	leave, err := s.EnterTrial(ctx)
	if err != nil {
		return TrialOutcome{}, err
	}
	defer leave()
	return s.Rehearse(ctx, r)
}

// EnterTrial waits for one of the slots of trials, which leave gives back.
func (s *Console) EnterTrial(ctx context.Context) (leave func(), err error) {
	select {
	case s.trialSlots <- struct{}{}:
		return func() { <-s.trialSlots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
