package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"munadi/store/jsontext"
)

// ScenarioViolation is one validation error. Field is the dotted path in the JSON: "steps.2.slot.type".
type ScenarioViolation struct {
	Field   string
	Message string
}

// MaxBytes is the maximum size of a scenario's JSON.
const MaxBytes = 1 << 20

// DecodeScenario decodes and validates the JSON form. All violations are returned at once: unknown fields and wrong
// types first, then the rules of [CheckScenario] for the rest. The error is for anything that is not a JSON object.
// built_in, created_at and updated_at are read-only and ignored, so that a fetched scenario can be put back. The
// default language is "ar".
func DecodeScenario(ctx context.Context, data []byte) (Scenario, []ScenarioViolation, error) {
	if len(data) > MaxBytes {
		return Scenario{}, nil, fmt.Errorf("a scenario has at most %d bytes", MaxBytes)
	}
	tree, err := readObject(data)
	if err != nil {
		return Scenario{}, nil, err
	}
	for _, own := range ours {
		delete(tree, own)
	}
	if found := compareForm("", tree, reflect.TypeFor[Scenario]()); len(found) > 0 {
		return Scenario{}, append(found, remainingViolations(ctx, tree, found)...), nil
	}
	s, err := readScenario(data)
	if err != nil {
		return Scenario{}, nil, err
	}
	if s.Language == "" {
		s.Language = "ar"
	}
	return s, CheckScenario(ctx, s), nil
}

// ours are the read-only fields.
var ours = []string{"built_in", "created_at", "updated_at"}

// readScenario decodes the JSON form of a scenario, without read-only fields.
func readScenario(data []byte) (s Scenario, err error) {
	var parts map[string]json.RawMessage
	if err = json.Unmarshal(data, &parts); err != nil {
		return s, err
	}
	for _, own := range ours {
		delete(parts, own)
	}
	if data, err = jsontext.MarshalUnescaped(parts); err != nil {
		return s, err
	}
	if err = json.Unmarshal(data, &s); err != nil {
		return s, err
	}
	for _, raw := range []*json.RawMessage{&s.ResponseBody, &s.Report.Schema} {
		if string(*raw) == "null" {
			*raw = nil
		}
	}
	return s, nil
}

// readObject decodes exactly one JSON object.
func readObject(data []byte) (map[string]any, error) {
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if tree == nil {
		return nil, errors.New("not a JSON object: null")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something behind the JSON object")
	}
	return tree, nil
}

var (
	rawType   = reflect.TypeFor[json.RawMessage]()
	linesType = reflect.TypeFor[SpokenLines]()
	timeType  = reflect.TypeFor[time.Time]()
)

// compareForm returns the violations of a JSON value against a Go type, and removes the offending parts from their
// container.
func compareForm(path string, v any, t reflect.Type) []ScenarioViolation {
	switch {
	case v == nil, t == rawType, t == timeType, t.Kind() == reflect.Interface:
		return nil
	case t == linesType:
		return compareLines(path, v)
	case t == labelType:
		return compareLabel(path, v)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return compareForm(path, v, t.Elem())
	case reflect.Struct:
		return compareStruct(path, v, t)
	case reflect.Map:
		return compareMap(path, v, t)
	case reflect.Slice:
		return compareSlice(path, v, t)
	}
	return compareScalar(path, v, t)
}

func compareStruct(path string, v any, t reflect.Type) []ScenarioViolation {
	tree, ok := v.(map[string]any)
	if !ok {
		return []ScenarioViolation{{path, "must be an object"}}
	}
	known := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		known[name] = t.Field(i).Type
	}
	var found []ScenarioViolation
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		inside := []ScenarioViolation{{joinPath(path, key), unknownField(joinPath(path, key))}}
		if field, ok := known[key]; ok && key != "-" {
			inside = compareForm(joinPath(path, key), tree[key], field)
		}
		if namesField(inside, joinPath(path, key)) {
			delete(tree, key)
		}
		found = append(found, inside...)
	}
	return found
}

// unknownField returns the message for an unknown or removed field.
func unknownField(path string) string {
	switch path {
	case "llm.url", "llm.model", "llm.key_env":
		return "is the operator's to set, in llm-endpoints of munadi.yaml; name an endpoint there by llm.endpoint"
	}
	return "is not a field that exists"
}

func compareMap(path string, v any, t reflect.Type) []ScenarioViolation {
	tree, ok := v.(map[string]any)
	if !ok {
		return []ScenarioViolation{{path, "must be an object"}}
	}
	var found []ScenarioViolation
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		inside := compareForm(joinPath(path, key), tree[key], t.Elem())
		if namesField(inside, joinPath(path, key)) {
			delete(tree, key)
		}
		found = append(found, inside...)
	}
	return found
}

func compareSlice(path string, v any, t reflect.Type) []ScenarioViolation {
	items, ok := v.([]any)
	if !ok {
		return []ScenarioViolation{{path, "must be an array"}}
	}
	var found []ScenarioViolation
	for i, item := range items {
		inside := compareForm(IndexPath(path, i), item, t.Elem())
		if namesField(inside, IndexPath(path, i)) {
			items[i] = nil
		}
		found = append(found, inside...)
	}
	return found
}

func compareLines(path string, v any) []ScenarioViolation {
	switch v := v.(type) {
	case string:
		return nil
	case map[string]any:
		return compareStruct(path, v, reflect.TypeFor[SpokenLine]())
	case []any:
		var found []ScenarioViolation
		for i, item := range v {
			inside := []ScenarioViolation{{IndexPath(path, i), "must be a text or an object with a text"}}
			if _, nested := item.([]any); !nested && item != nil {
				inside = compareLines(IndexPath(path, i), item)
			}
			if namesField(inside, IndexPath(path, i)) {
				v[i] = ""
			}
			found = append(found, inside...)
		}
		return found
	}
	return []ScenarioViolation{{path, errLines.Error()}}
}

func compareScalar(path string, v any, t reflect.Type) []ScenarioViolation {
	switch t.Kind() {
	case reflect.String:
		if _, ok := v.(string); !ok {
			return []ScenarioViolation{{path, "must be a string"}}
		}
	case reflect.Bool:
		if _, ok := v.(bool); !ok {
			return []ScenarioViolation{{path, "must be true or false"}}
		}
	case reflect.Int:
		if n, ok := v.(float64); !ok || n != math.Trunc(n) || math.Abs(n) > math.MaxInt32 {
			return []ScenarioViolation{{path, "must be an integer"}}
		}
	case reflect.Float64:
		if _, ok := v.(float64); !ok {
			return []ScenarioViolation{{path, "must be a number"}}
		}
	}
	return nil
}

// joinPath appends a key or index to a dotted path.
func joinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// IndexPath appends an index to a dotted path, as in [ScenarioViolation].
func IndexPath(path string, i int) string { return fmt.Sprintf("%s.%d", path, i) }
