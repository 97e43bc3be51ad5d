package console_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/openapi"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// TestEveryStepTypeIsEdited checks that the editor adds each type of step, with a name in both languages.
func TestEveryStepTypeIsEdited(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	const path = "/scenarios/appointment_confirmation"
	shown := b.getPage(account.Operator, path+"/edit").wantStatus(200)
	for _, kind := range scenario.AllStepTypes() {
		shown.wantTexts(`value="add-` + string(kind) + `:0"`)
		for _, l := range []locale.Language{locale.Arabic, locale.English} {
			if name := scenarios.StepName(l, string(kind)); name == "" || name == string(kind) {
				t.Errorf("steps of type %s have no name in %s: %q", kind, l, name)
			}
		}
		form := shown.formValues("/console" + path)
		form.Set("op", "add-"+string(kind)+":0")
		plan := draftOf(t, b.postForm(account.Operator, path+"/draft", form).wantStatus(200).formValues("/console"+path))
		if len(plan.Steps) < 2 || plan.Steps[1].Type != kind {
			t.Errorf("the editor adds no step of type %s; see newStep", kind)
		}
	}
}

// TestEveryStepTypeIsPublished checks that the OpenAPI document lists the types of steps.
func TestEveryStepTypeIsPublished(t *testing.T) {
	t.Parallel()
	raw, err := openapi.DocumentJSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas struct {
				Step struct {
					Properties struct {
						Type struct{ Enum []scenario.StepType }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	published := document.Components.Schemas.Step.Properties.Type.Enum
	slices.Sort(published)
	all := slices.Sorted(slices.Values(scenario.AllStepTypes()))
	if diff := cmp.Diff(published, all); diff != "" {
		t.Errorf("types of schema Step (-) and of store/scenario (+) differ:\n%s", diff)
	}
}
