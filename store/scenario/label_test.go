package scenario_test

import (
	"encoding/json"
	"testing"

	"munadi/store/scenario"
)

// TestLabelForms: a bare text applies to both languages and is written as a bare text again, as clients of one language
// expect.
func TestLabelForms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]scenario.Label{
		`"يوم"`:                   {Arabic: "يوم", English: "يوم"},
		`{"ar":"يوم","en":"Day"}`: {Arabic: "يوم", English: "Day"},
		`{"en":"Day <1>"}`:        {English: "Day <1>"},
		`{"ar":"يوم"}`:            {Arabic: "يوم"},
	} {
		var got scenario.Label
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
		if out, err := got.MarshalJSON(); err != nil || string(out) != in {
			t.Errorf("%s was written as %s, %v", in, out, err)
		}
	}
	var none scenario.ScenarioVariable
	if err := json.Unmarshal([]byte(`{"name":"v","label":null}`), &none); err != nil || none.Label != (scenario.Label{}) {
		t.Error(none, err)
	}
	if out, err := json.Marshal(none); err != nil || string(out) != `{"name":"v"}` {
		t.Errorf("%s, %v", out, err)
	}
}

// TestBuiltInScenariosAreLabelled: every part that a person sees has a label in both languages.
func TestBuiltInScenariosAreLabelled(t *testing.T) {
	t.Parallel()
	for _, s := range builtIn(t) {
		labels := map[string]scenario.Label{}
		for _, v := range s.Variables {
			labels["variable "+v.Name] = v.Label
		}
		for _, step := range s.Steps {
			labels["step "+step.ID] = step.Label
		}
		for _, slot := range s.AllSlots() {
			labels["slot "+slot.Name] = slot.Label
			for _, o := range slot.Choices {
				labels["choice "+slot.Name+" "+o.Value] = o.Label
			}
		}
		for of, l := range labels {
			if l.TextIn("ar") == "" || l.TextIn("en") == "" || l.Arabic == l.English {
				t.Errorf("%s: %s: %+v", s.ID, of, l)
			}
		}
	}
}

func TestReportSlot(t *testing.T) {
	t.Parallel()
	s, found, err := scenario.DecodeScenario(t.Context(), scenarioForm(`"variables":[{"name":"v"}],"steps":[`+asking+`],
		"report":{"values":{"amount":"{{n}}","n":"constant","both":"{{n}} {{v}}","given":"{{v}}","one":1}}`))
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	for property, want := range map[string]string{"amount": "n", "n": "", "both": "", "given": "", "one": "", "absent": ""} {
		if slot, ok := s.ReportSlot(property); slot.Name != want || ok != (want != "") {
			t.Errorf("%s: %+v, %t", property, slot, ok)
		}
	}
	s.Report.Values = nil
	if slot, ok := s.ReportSlot("n"); !ok || slot.Name != "n" {
		t.Errorf("%+v, %t", slot, ok)
	}
}
