package conversation_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"munadi/appliance/conversation"
	"munadi/store/call"
	"munadi/store/scenario"
)

// TestFollowUpCall checks what the conversation with a person who calls back knows of the call to them: when it was, in
// the organization's time, and the answers, if a question was left open.
func TestFollowUpCall(t *testing.T) {
	t.Parallel()
	var steps []scenario.FlowStep
	for name, kind := range map[string]scenario.SlotType{"comes": scenario.YesNo, "guests": scenario.Number, "day": scenario.Date} {
		steps = append(steps, scenario.FlowStep{ID: name, Type: scenario.Ask, Slot: &scenario.AnswerSlot{Name: name, Type: kind}})
	}
	at := time.Date(2026, 11, 21, 22, 5, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		report  string
		unasked []string
		broken  string
		fix     json.RawMessage // of comes
		want    map[string]any
	}{
		"nobody answered":  {"", nil, "", nil, nil},
		"broken off":       {`{"comes":true,"guests":3,"day":null}`, []string{"day"}, "hung_up", nil, map[string]any{"comes": true, "guests": 3.0}},
		"not understood":   {`{"comes":true,"guests":null,"day":"2026-12-01"}`, nil, "no_match", nil, map[string]any{"comes": true, "day": "2026-12-01"}},
		"corrected":        {`{"comes":true,"guests":null,"day":null}`, nil, "", json.RawMessage("false"), map[string]any{"comes": false}},
		"nothing is open":  {`{"comes":true,"guests":3,"day":"2026-12-01"}`, nil, "hung_up", nil, nil},
		"another branch":   {`{"comes":false,"guests":null,"day":null}`, []string{"guests", "day"}, "", nil, nil},
		"an earlier type":  {`{"comes":"yes","guests":true,"day":7}`, nil, "", nil, nil},
		"another property": {`{"comes":true,"seats":2,"guests":null}`, nil, "", nil, map[string]any{"comes": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := call.Call{
				Report: json.RawMessage(c.report), Unasked: c.unasked,
				Errors: []call.CallError{{Code: c.broken}}, Variables: map[string]any{"name": "سارة"},
			}
			if c.fix != nil {
				before.Corrections = []call.CallCorrection{{Slot: "comes", Value: c.fix}}
			}
			in := conversation.ConversationInput{
				Scenario: scenario.Scenario{Steps: steps}, Variables: before.Variables, Zone: time.FixedZone("Riyadh", 3*3600),
			}
			in = in.FollowUpCall(call.FollowedCall{DialledAt: &at, Talk: before})
			if !reflect.DeepEqual(in.Answers, c.want) {
				t.Errorf("answers %v, want %v", in.Answers, c.want)
			}
			known := map[string]any{"name": "سارة", "called_on": "2026-11-22", "called_at": "01:05"}
			if !reflect.DeepEqual(in.Variables, known) || len(before.Variables) != 1 {
				t.Errorf("variables %v, those of the call %v", in.Variables, before.Variables)
			}
		})
	}
}
