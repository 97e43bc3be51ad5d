package scenario_test

import (
	"testing"

	"munadi/store/scenario"
)

// TestFollowSlots: a scenario with a report schema of its own stays valid when questions are added, changed and removed.
func TestFollowSlots(t *testing.T) {
	t.Parallel()
	for _, s := range builtIn(t) {
		before := s.AllSlots()
		schema := string(s.Report.Schema)
		s.FollowSlots(before)
		if string(s.Report.Schema) != schema {
			t.Errorf("%s: nothing changed, and the schema is %s", s.ID, s.Report.Schema)
		}
		choice := scenario.AnswerSlot{Name: "place", Type: scenario.Choice, Choices: []scenario.ChoiceOption{{Value: "olaya", Phrases: []string{"العليا"}}}}
		added := s
		added.Steps = append([]scenario.FlowStep{{ID: "place", Type: scenario.Ask, Say: scenario.SpokenLines{{Text: "أي فرع"}}, Slot: &choice}}, s.Steps...)
		added.Start = ""
		added.FollowSlots(before)
		if found := scenario.CheckScenario(t.Context(), added); len(found) > 0 {
			t.Errorf("%s with a question more: %v", s.ID, found)
		}
		with := added.AllSlots()
		added.Steps = s.Steps
		added.FollowSlots(with)
		if found := scenario.CheckScenario(t.Context(), added); len(found) > 0 {
			t.Errorf("%s without it: %v", s.ID, found)
		}
	}
}

func TestFollowSlotsInValues(t *testing.T) {
	t.Parallel()
	s, found, err := scenario.DecodeScenario(t.Context(), scenarioForm(`"steps":[`+asking+`],"report":{"values":{"n":"{{n}}","one":1}}`))
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	before := s.AllSlots()
	slot := *s.Steps[0].Slot
	slot.Name = "m"
	s.Steps[0].Slot = &slot
	s.FollowSlots(before)
	if len(s.Report.Values) != 2 || string(s.Report.Values["m"]) != `"{{m}}"` || string(s.Report.Values["one"]) != "1" {
		t.Errorf("%s", s.Report.Values)
	}
}
