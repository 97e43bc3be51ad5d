package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/store/scenario"
)

// doublingSchema returns a schema whose definitions each refer to the next one twice, by a keyword that takes a list.
func doublingSchema(levels int, keyword, leaf string) string {
	var defs []string
	for i := range levels {
		defs = append(defs, fmt.Sprintf(`"a%d":{"%s":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, keyword, i+1, i+1))
	}
	defs = append(defs, fmt.Sprintf(`"a%d":%s`, levels, leaf))
	return `{"$defs":{` + strings.Join(defs, ",") + `},"type":"object","$ref":"#/$defs/a0"}`
}

// TestSchemaThatExpands: definitions that expand exponentially are refused when the schema is compiled.
func TestSchemaThatExpands(t *testing.T) {
	t.Parallel()
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, leaf := range []string{"{}", "true", "false", `{"type":"string"}`} {
			if _, err := scenario.CompileSchema([]byte(doublingSchema(40, keyword, leaf))); err == nil {
				t.Errorf("%s of %s: it is compiled", keyword, leaf)
			}
		}
	}
	found := joinFaults(t, scenarioForm(`"report":{"schema":`+doublingSchema(40, "allOf", "{}")+`},`+oneStep))
	if len(found) != 1 || !strings.Contains(found[0], "report.schema: is not a usable JSON Schema: its references expand") {
		t.Errorf("violations %q", found)
	}
	if _, err := scenario.CompileSchema([]byte(doublingSchema(10, "allOf", "{}"))); err != nil {
		t.Errorf("ten levels: %v", err)
	}
}

// nestedObject returns nested objects.
func nestedObject(levels int) string {
	return strings.Repeat(`{"x":`, levels) + "1" + strings.Repeat("}", levels)
}

// TestEvaluationHasABudget: a schema that refers back to itself expands with the report's depth only.
func TestEvaluationHasABudget(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"properties": `{"properties":{"x":{"$ref":"#"}},"patternProperties":{"x":{"$ref":"#"}}}`,
		"not":        `{"not":{"not":{"properties":{"x":{"$ref":"#"}},"patternProperties":{"x":{"$ref":"#"}}}}}`,
		"draft 7":    `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"$ref":"#"}},"patternProperties":{"x":{"$ref":"#"}}}`,
		"dependent":  `{"dependentSchemas":{"x":{"properties":{"x":{"$ref":"#"}}}},"properties":{"x":{"$ref":"#"}}}`,
	} {
		compiled, err := scenario.CompileSchema([]byte(schema))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := compiled.ValidateReport(t.Context(), []byte(nestedObject(5))); err != nil {
			t.Errorf("%s, five levels: %v", name, err)
		}
		if _, err := compiled.ValidateReport(t.Context(), []byte(nestedObject(60))); err == nil { // without a budget it would not end
			t.Errorf("%s, sixty levels are validated", name)
		}
		if _, err := compiled.ValidateReport(t.Context(), []byte(nestedObject(5))); err != nil {
			t.Errorf("%s, five levels after sixty: %v", name, err)
		}
	}
}

func TestEvaluationEndsWithItsContext(t *testing.T) {
	t.Parallel()
	compiled, err := scenario.CompileSchema([]byte(`{"type":"object"}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := compiled.ValidateReport(ctx, []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestSchemaThatTakesLong: excessive depth, numbers and patterns are refused.
func TestSchemaThatTakesLong(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"depth":           strings.Repeat(`{"not":`, 5000) + "{}" + strings.Repeat("}", 5000),
		"small number":    `{"multipleOf":1e-999999}`,
		"large number":    `{"maximum":1e999999}`,
		"long number":     `{"maximum":` + strings.Repeat("9", 40) + `}`,
		"long pattern":    `{"pattern":"` + strings.Repeat("a?", 2000) + `"}`,
		"growing pattern": `{"pattern":"` + strings.Repeat("a{900}", 100) + `"}`,
		"bad pattern":     `{"pattern":"("}`,
	} {
		if _, err := scenario.CompileSchema([]byte(schema)); err == nil {
			t.Errorf("%s: it is compiled", name)
		}
	}
	compiled, err := scenario.CompileSchema([]byte(`{"additionalProperties":{"pattern":"(a?){900}b"}}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := json.Marshal(map[string]string{"x": strings.Repeat("a", 60_000)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiled.ValidateReport(t.Context(), report); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("a pattern over a long text: %v", err)
	}
}

// FuzzSchema: every schema is compiled and evaluated in bounded time.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(doublingSchema(3, "oneOf", "{}")), []byte(nestedObject(3)))
	f.Add([]byte(`{"properties":{"x":{"$ref":"#"}},"patternProperties":{"(x?){9}":{"$ref":"#"}}}`), []byte(nestedObject(9)))
	f.Add([]byte(`{"$dynamicRef":"#a","$dynamicAnchor":"a","unevaluatedItems":{"items":[true]}}`), []byte(`[[1]]`))
	f.Fuzz(func(t *testing.T, schema, report []byte) {
		if len(schema)+len(report) > 1<<17 {
			return
		}
		began := time.Now()
		compiled, err := scenario.CompileSchema(schema)
		if err == nil {
			_, _ = compiled.ValidateReport(t.Context(), report)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s with %s took %v", schema, report, took)
		}
	})
}
