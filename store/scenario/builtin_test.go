package scenario_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/assets/scenarios"
	"munadi/store/scenario"
)

func builtIn(t testing.TB) []scenario.Scenario {
	t.Helper()
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestBuiltInScenariosAreThereAndSound(t *testing.T) {
	t.Parallel()
	all := builtIn(t)
	var ids []string
	for _, s := range all {
		ids = append(ids, s.ID)
		if v := scenario.CheckScenario(t.Context(), s); len(v) > 0 {
			t.Errorf("%s: %v", s.ID, v)
		}
		if !s.BuiltIn || s.CallingHours != nil {
			t.Errorf("%s: built in %t, calling hours %v", s.ID, s.BuiltIn, s.CallingHours)
		}
	}
	if diff := cmp.Diff([]string{"appointment_confirmation", "restaurant_order"}, ids); diff != "" {
		t.Error(diff)
	}
}

// TestJSONRoundTrip: a fetched scenario can be put back unchanged.
func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for _, s := range builtIn(t) {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got, violations, err := scenario.DecodeScenario(t.Context(), data)
		if err != nil || len(violations) > 0 {
			t.Fatal(violations, err)
		}
		s.BuiltIn = false
		if diff := cmp.Diff(compactJSON(t, s), compactJSON(t, got)); diff != "" {
			t.Error(diff)
		}
	}
}

func compactJSON(t *testing.T, s scenario.Scenario) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTemplates checks that every template is valid, and has labels in both languages for what people see.
func TestTemplates(t *testing.T) {
	t.Parallel()
	all, err := scenario.LoadTemplates(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 7 {
		t.Errorf("%d templates", len(all))
	}
	for id, s := range all {
		labels := []scenario.Label{}
		for _, v := range s.Variables {
			labels = append(labels, v.Label)
		}
		for _, slot := range s.AllSlots() {
			labels = append(labels, slot.Label)
		}
		for _, step := range s.Steps {
			labels = append(labels, step.Label)
		}
		for _, l := range labels {
			if l.Arabic == "" || l.English == "" {
				t.Errorf("%s has a label in one language: %+v", id, l)
			}
		}
	}
}
