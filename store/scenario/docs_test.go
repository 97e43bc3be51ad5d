package scenario_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// exampleBase is the scenario that the examples of the reference are parts of.
const exampleBase = `{"id": "example", "name": "مثال", "steps": [{"id": "bye", "type": "end"}]}`

// readReference returns docs/scenarios.md.
func readReference(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// jsonExamples returns the JSON blocks of a part of the reference.
func jsonExamples(text string) (blocks []string) {
	for _, found := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

// TestReferenceExamples checks that the parser accepts every example of the reference: a scenario, or parts of one.
func TestReferenceExamples(t *testing.T) {
	t.Parallel()
	blocks := jsonExamples(readReference(t))
	if len(blocks) < 11 {
		t.Errorf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		whole := map[string]json.RawMessage{}
		for _, part := range []string{exampleBase, block} {
			if err := json.Unmarshal([]byte(part), &whole); err != nil {
				t.Fatalf("%v in\n%s", err, part)
			}
		}
		data, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		if _, found, err := scenario.DecodeScenario(t.Context(), data); err != nil || len(found) > 0 {
			t.Errorf("%v %v, of\n%s", err, found, block)
		}
	}
}

// TestReferenceOfSteps checks that the part of each step type names every field that the type has, and shows it in an
// example.
func TestReferenceOfSteps(t *testing.T) {
	t.Parallel()
	text := readReference(t)
	for _, kind := range scenario.AllStepTypes() {
		_, part, there := strings.Cut(text, "\n### `"+string(kind)+"`\n")
		part, _, _ = strings.Cut(part, "\n## ")
		part, _, _ = strings.Cut(part, "\n### ")
		if !there {
			t.Errorf("no part is about %s", kind)
			continue
		}
		examples := strings.Join(jsonExamples(part), "")
		for _, field := range fieldsOfStep(t, kind) {
			if !strings.Contains(part, "`"+field+"`") {
				t.Errorf("the part of %s does not name %s", kind, field)
			}
			if !strings.Contains(examples, `"`+field+`"`) {
				t.Errorf("no example of %s has %s", kind, field)
			}
		}
	}
}

// fieldsOfStep returns the fields that have an effect in a step of a type, besides those of every step.
func fieldsOfStep(t *testing.T, kind scenario.StepType) (fields []string) {
	t.Helper()
	for _, field := range jsonNames(reflect.TypeFor[scenario.FlowStep]()) {
		step := scenario.FlowStep{ID: "a", Type: kind}
		if field == "id" || field == "label" || field == "type" {
			continue
		}
		setByJSONName(&step, field)
		found := scenario.CheckScenario(t.Context(), scenario.Scenario{ID: "a", Name: "a", Steps: []scenario.FlowStep{step}})
		foreign := slices.ContainsFunc(found, func(v strictjson.Violation) bool {
			return v.Field == "steps.0."+field && strings.Contains(v.Message, "no effect")
		})
		if !foreign {
			fields = append(fields, field)
		}
	}
	if len(fields) < 2 {
		t.Errorf("%s has the fields %v", kind, fields)
	}
	return fields
}

// setByJSONName gives the field of a JSON name a value that is not zero.
func setByJSONName(step *scenario.FlowStep, name string) {
	v := reflect.ValueOf(step).Elem()
	for i := range v.NumField() {
		if jsonName(v.Type().Field(i)) != name {
			continue
		}
		switch f := v.Field(i); f.Kind() {
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.String:
			f.SetString("a")
		case reflect.Int:
			f.SetInt(1)
		case reflect.Bool:
			f.SetBool(true)
		}
	}
}

// TestReferenceOfFields checks that the reference names every other field of a scenario, and shows it in an example.
func TestReferenceOfFields(t *testing.T) {
	t.Parallel()
	text := readReference(t)
	examples := strings.Join(jsonExamples(text), "")
	readOnly := []string{"built_in", "created_at", "updated_at"}
	for _, record := range []reflect.Type{
		reflect.TypeFor[scenario.Scenario](), reflect.TypeFor[scenario.ScenarioVariable](),
		reflect.TypeFor[scenario.SpokenLine](), reflect.TypeFor[scenario.AnswerSlot](),
		reflect.TypeFor[scenario.ChoiceOption](), reflect.TypeFor[scenario.BranchCase](),
		reflect.TypeFor[scenario.ReportPlan](), reflect.TypeFor[scenario.ModelEndpoint](),
		reflect.TypeFor[scenario.ScenarioTest](), reflect.TypeFor[scenario.TestExpectation](), reflect.TypeFor[call.RetryPlan](),
	} {
		for _, field := range jsonNames(record) {
			if slices.Contains(readOnly, field) {
				continue
			}
			if !strings.Contains(text, "`"+field+"`") || !strings.Contains(examples, `"`+field+`"`) {
				t.Errorf("%s.%s is not named, or in no example", record.Name(), field)
			}
		}
	}
}

// jsonNames returns the JSON names of a struct's fields.
func jsonNames(record reflect.Type) (names []string) {
	for i := range record.NumField() {
		if name := jsonName(record.Field(i)); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}
