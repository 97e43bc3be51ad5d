package conversation

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"munadi/store/call"
	"munadi/store/scenario"
)

// Variables that a person who calls back gives the scenario: when they were called, in the organization's time zone.
const (
	calledOn = "called_on" // date
	calledAt = "called_at" // time
)

// cutOff are the errors of conversations that ended before their last step.
var cutOff = []string{"hung_up", "call_later", "goodbye", "max_duration", "hold_limit"}

// FollowUpCall returns the conversation with a person who calls back as the continuation of the last one with them: it
// knows when they were called, and which answers they gave if a question was left open.
func (in ConversationInput) FollowUpCall(before call.FollowedCall) ConversationInput {
	if before.DialledAt != nil {
		at := before.DialledAt.In(cmp.Or(in.Zone, time.UTC))
		known := map[string]any{calledOn: at.Format(time.DateOnly), calledAt: at.Format("15:04")}
		maps.Copy(known, in.Variables)
		in.Variables = known
	}
	in.Answers = openAnswers(in.Scenario, before.Talk)
	return in
}

// openAnswers returns the answers of a call by slot, if it left a question open: one that was not understood, or any
// after the person broke the conversation off. Lists are asked for again.
func openAnswers(s scenario.Scenario, before call.Call) map[string]any {
	var report map[string]any
	if json.Unmarshal(before.CurrentReport(), &report) != nil {
		return nil
	}
	broken := slices.ContainsFunc(before.Errors, func(e call.CallError) bool { return slices.Contains(cutOff, e.Code) })
	answers, open := map[string]any{}, false
	for property, value := range report {
		slot, found := s.ReportSlot(property)
		if !found {
			continue
		}
		if value == nil {
			open = open || broken || !slices.Contains(before.Unasked, property)
		} else if isAnswer(slot, value) {
			answers[slot.Name] = value
		}
	}
	if !open {
		return nil
	}
	return answers
}

// isAnswer reports whether a report's value is one of the slot, which may have had another type then.
func isAnswer(s scenario.AnswerSlot, value any) (fits bool) {
	switch s.Type {
	case scenario.YesNo:
		_, fits = value.(bool)
	case scenario.Number:
		_, fits = value.(float64)
	default:
		_, fits = value.(string)
	}
	return fits
}
