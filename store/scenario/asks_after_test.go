package scenario_test

import (
	"maps"
	"slices"
	"testing"

	"munadi/assets/scenarios"
	"munadi/store/scenario"
)

func TestAsksAfter(t *testing.T) {
	t.Parallel()
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(s scenario.Scenario) bool { return s.ID == "appointment_confirmation" })
	appointment := all[i]
	for _, c := range []struct {
		step string
		yes  bool
		want []string
	}{
		{"ask_confirm", true, nil},
		{"ask_confirm", false, []string{"cancel_reason", "new_date", "new_time", "wants_reschedule"}},
		{"ask_reschedule", true, []string{"new_date", "new_time"}},
		{"ask_reschedule", false, []string{"cancel_reason"}},
	} {
		got := slices.Sorted(maps.Keys(appointment.AsksAfter(appointment.FindStep(c.step), c.yes)))
		if !slices.Equal(got, c.want) {
			t.Errorf("after %v at %s: %v, want %v", c.yes, c.step, got, c.want)
		}
	}
}
