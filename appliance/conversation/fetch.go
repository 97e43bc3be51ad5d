package conversation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/tool"
	"munadi/appliance/endpoint"
	"munadi/store/scenario"
)

const (
	// silenceBeforeFiller is how long the other side waits for a tool before it is told that it takes a moment.
	silenceBeforeFiller = 700 * time.Millisecond
	// toolTimeout bounds the wait for a tool, whose own limit is lower, together with its answer's way here.
	toolTimeout = 3 * time.Second
)

// runFetchStep asks a tool for the step's slots. A failure, or an answer of which no value can be used, leads to
// on_failure, or without one to the next step; a value that is missing or not of its type stays unknown.
func (s *conversationSession) runFetchStep(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	for _, slot := range step.Slots {
		s.wasAsked[slot.Name] = true
	}
	answer, err := s.callTool(ctx, step)
	var failed *besideError
	switch {
	case errors.As(err, &failed):
		s.addError("fetch_failed", wholeSentence, toolFault(step.Tool, failed))
		return s.Scenario.NextStep(i, cmp.Or(step.OnFailure, step.Next)), nil
	case err != nil:
		return 0, err
	}
	next := step.Next
	if !s.takeSlots(ctx, step, answer, foundBy{"fetch_value", "The tool " + step.Tool, true}) {
		next = cmp.Or(step.OnFailure, step.Next)
	}
	return s.Scenario.NextStep(i, next), ctx.Err()
}

// callTool asks the step's tool, and says the step's lines if its answer takes a while.
func (s *conversationSession) callTool(ctx context.Context, step scenario.FlowStep) (string, error) {
	if s.Tools == nil {
		return "", &besideError{tool.ErrNoTool}
	}
	r := tool.Request{OrgID: s.OrgID, Tool: step.Tool, Values: map[string]any{}, Key: s.newToolKey(step.ID)}
	for _, name := range step.Send {
		r.Values[name] = s.slotValue(name)
	}
	from, told := s.now, false
	waiting := func(ctx context.Context) error {
		if told || s.now-from < silenceBeforeFiller {
			return nil
		}
		told = true
		lines := step.Say
		if len(lines) == 0 {
			lines = s.commonLines(oneMoment)
		}
		_, err := s.queueLines(ctx, lines, carrier.AnswerExpectation{})
		return err
	}
	answer, err := runBesideLine(ctx, s, toolTimeout, waiting, func(ctx context.Context) (string, error) {
		return s.Tools.CallTool(ctx, r)
	})
	if told && ctx.Err() == nil {
		if err := s.awaitPlayed(ctx); err != nil {
			return "", err
		}
	}
	return answer, err
}

// newToolKey returns the idempotency key of a further request of a step, or of its model, to a tool; empty without a
// call, for a random one.
func (s *conversationSession) newToolKey(stepID string) string {
	if s.CallID == "" {
		return ""
	}
	return fmt.Sprintf("%s-%s-%d", s.CallID, stepID, s.toolKeys.Add(1))
}

// toolFault says why a tool gave no answer.
func toolFault(name string, err error) string {
	who := "The tool " + name
	return cmp.Or(endpoint.DescribeFault(who, err), who+" gave no answer that could be used.")
}
