package scenario

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNameFromText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Appointment day": "appointment_day",
		"يوم الموعد":      "ywm_almwad",
		"هل تُؤكّد؟":      "hl_twkd",
		"2 pizzas":        "value_2_pizzas",
		"؟!":              "value",
		"":                "value",
		"Größe":           "gre",
		"a-b/c  d":        "a_b_c_d",
		"٣ أيام":          "value_3_ayam",
		"the quick brown fox jumps over the lazy dog": "the_quick_brown_fox_jumps_over_the_lazy",
	} {
		got := NameFromText(text, "value")
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
		if !nameForm.MatchString(got) || !stepForm.MatchString(got) || !idForm.MatchString(got) {
			t.Errorf("%q is not a name", got)
		}
	}
}

// FuzzNameFromText checks that every text makes a valid name.
func FuzzNameFromText(f *testing.F) {
	f.Add("يوم 2")
	f.Add("2\xff")
	f.Fuzz(func(t *testing.T, text string) {
		if got := NameFromText(text, "value"); !nameForm.MatchString(got) || !idForm.MatchString(got) {
			t.Errorf("%q makes %q", text, got)
		}
	})
}

// renamed is a scenario in which everything refers to the slot size, the variable day and the step ask.
func referring() Scenario {
	return Scenario{
		Start: "ask", Variables: []ScenarioVariable{{Name: "weekday"}},
		Steps: []FlowStep{
			{ID: "question", Slot: &AnswerSlot{Name: "big", Type: YesNo}, Say: SpokenLines{{Text: "يوم {{day|date}} {{size}}"}}, Also: []string{"size"}, Send: []string{"day"}},
			{ID: "split", Cases: []BranchCase{{Slot: "size", Next: "ask"}}, OnFailure: "ask", To: "{{day}}"},
		},
		Report: ReportPlan{
			Schema: json.RawMessage(`{"properties":{"size":{"description":"s"},"other":{}},"required":["size","other"]}`),
			Values: map[string]json.RawMessage{"size": json.RawMessage(`"{{size}}"`), "on": json.RawMessage(`{"size":["{{size}} {{day}}"]}`)},
		},
		ResponseBody: json.RawMessage(`{"order":{"z":1,"size":"{{size}}","a":"{{ day }}!"}}`),
		Tests:        []ScenarioTest{{Variables: map[string]any{"day": "x"}, Expect: TestExpectation{Steps: []string{"ask"}, Report: map[string]any{"size": true}}}},
	}
}

func TestRenameValuesAndSteps(t *testing.T) {
	t.Parallel()
	s := referring()
	s.RenameSteps(map[string]string{"ask": "question"})
	s.RenameValues(map[string]string{"size": "big", "day": "weekday"})
	want := Scenario{
		Start: "question", Variables: []ScenarioVariable{{Name: "weekday"}},
		Steps: []FlowStep{
			{ID: "question", Slot: &AnswerSlot{Name: "big", Type: YesNo}, Say: SpokenLines{{Text: "يوم {{weekday|date}} {{big}}"}}, Also: []string{"big"}, Send: []string{"weekday"}},
			{ID: "split", Cases: []BranchCase{{Slot: "big", Next: "question"}}, OnFailure: "question", To: "{{weekday}}"},
		},
		Report: ReportPlan{
			Schema: json.RawMessage(`{"properties":{"big":{"description":"s"},"other":{}},"required":["big","other"]}`),
			Values: map[string]json.RawMessage{"big": json.RawMessage(`"{{big}}"`), "on": json.RawMessage(`{"size":["{{big}} {{weekday}}"]}`)},
		},
		ResponseBody: json.RawMessage(`{"order":{"z":1,"big":"{{big}}","a":"{{weekday}}!"}}`),
		Tests:        []ScenarioTest{{Variables: map[string]any{"weekday": "x"}, Expect: TestExpectation{Steps: []string{"question"}, Report: map[string]any{"big": true}}}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	s.Variables = append(s.Variables, ScenarioVariable{Name: "day"})
	before := s.Steps[1].To
	if renamed := s.RenameValues(map[string]string{"day": "gone"}); renamed != nil || s.Steps[1].To != before {
		t.Errorf("a name that is still there was renamed: %v", renamed)
	}
}

// TestResponseBodyFollowsQuestions checks that a new question gets a property beside the others and that a removed one
// loses its own, while everything else keeps its place.
func TestResponseBodyFollowsQuestions(t *testing.T) {
	t.Parallel()
	ask := func(name string) FlowStep {
		return FlowStep{ID: name, Type: Ask, Slot: &AnswerSlot{Name: name, Type: Text}}
	}
	s := Scenario{
		Steps:        []FlowStep{ask("a"), ask("b")},
		ResponseBody: json.RawMessage(`{"order":{"z":[1.50,"{{a}}",null],"a":"{{a}}","b":"{{b}} of {{a}}"}}`),
	}
	before := s.AllSlots()
	s.Steps = []FlowStep{ask("b"), ask("c")}
	s.FollowSlots(before)
	if got, want := string(s.ResponseBody), `{"order":{"z":[1.50,null],"b":"{{b}} of ","c":"{{c}}"}}`; got != want {
		t.Errorf("the body is %s, want %s", got, want)
	}
	s.ResponseBody = nil
	s.FollowSlots(nil)
	if s.ResponseBody != nil {
		t.Errorf("a body was made: %s", s.ResponseBody)
	}
}

// TestChangeStepType checks that a step of every type can become any other without fields that it doesn't have.
func TestChangeStepType(t *testing.T) {
	t.Parallel()
	for _, from := range AllStepTypes() {
		for _, to := range AllStepTypes() {
			s := Scenario{Steps: []FlowStep{{
				ID: "one", Label: Label{English: "One"}, Type: from, Next: "one", Say: SpokenLines{{Text: "x"}}, OnFailure: "one",
				Reask: SpokenLines{{Text: "y"}}, Confirm: true, Also: []string{"z"}, NoBargeIn: true, NeedsPerson: true, To: "t",
				Prompt: "p", MaxTurns: 3, TimeoutSeconds: 4, Tool: "t", Send: []string{"x"}, Slots: []AnswerSlot{{Name: "s"}}, Cases: []BranchCase{{}},
			}}}
			s.ChangeStepType(0, to)
			step := s.Steps[0]
			if step.Type != to || step.ID != "one" || step.Label.English != "One" {
				t.Errorf("%s to %s: %+v", from, to, step)
			}
			c := &scenarioChecker{s: s}
			if c.checkForeignFields("steps.0", step); from != to && len(c.found) > 0 {
				t.Errorf("%s to %s keeps %v", from, to, c.found)
			}
		}
	}
	s := Scenario{Steps: []FlowStep{{ID: "one", Type: Say}}}
	if s.ChangeStepType(0, "nothing"); s.Steps[0].Type != Say {
		t.Error("an unknown type was set")
	}
}
