package scenarios

import (
	"slices"
	"testing"

	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// TestStepLines checks that every list of lines of a step has a name, and is in the editor's form of the types that may
// have it.
func TestStepLines(t *testing.T) {
	t.Parallel()
	for _, list := range new(scenario.FlowStep).LineLists() {
		for _, l := range locale.AllLanguages() {
			if LinesTitle(l, list.Field) == "" {
				t.Errorf("%s has no name", list.Field)
			}
		}
		for _, kind := range scenario.AllStepTypes() {
			plan := scenario.Scenario{Steps: []scenario.FlowStep{{ID: "a", Type: kind}}}
			if kind == scenario.Ask {
				plan.Steps[0].Slot = &scenario.AnswerSlot{Name: "b", Type: scenario.YesNo}
			}
			shown := BindEditor(form.NewBinder(locale.English, nil, nil), &plan, nil, nil)
			if got := len(shown.Steps[0].LinesOf(list.Field).Lines) > 0; got != slices.Contains(list.Types, kind) {
				t.Errorf("%s of a step of type %s is in the form: %v", list.Field, kind, got)
			}
		}
	}
}
