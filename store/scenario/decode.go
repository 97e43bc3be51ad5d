package scenario

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"munadi/store/strictjson"
)

// MaxBytes is the maximum size of a scenario's JSON.
const MaxBytes = 1 << 20

// DecodeScenario decodes and validates the JSON form. All violations are returned at once: unknown fields and wrong
// types first, then the rules of [CheckScenario] for the rest. The error is for anything that is not a JSON object.
// built_in, created_at, updated_at and published_version are read-only and ignored, so that a fetched scenario can be
// put back. The default language is "ar", the default status published.
func DecodeScenario(ctx context.Context, data []byte) (Scenario, []strictjson.Violation, error) {
	if len(data) > MaxBytes {
		return Scenario{}, nil, fmt.Errorf("a scenario must have at most %d bytes", MaxBytes)
	}
	tree, err := strictjson.ParseObject(data)
	if err != nil {
		return Scenario{}, nil, err
	}
	for _, own := range ours {
		delete(tree, own)
	}
	var valid Scenario
	if found := strictjson.BindValue(tree, &valid); len(found) > 0 {
		explainRemoved(found)
		return Scenario{}, append(found, remainingViolations(ctx, valid, found)...), nil
	}
	if err := keepOrder(data, &valid); err != nil {
		return Scenario{}, nil, err
	}
	if valid.Language == "" {
		valid.Language = "ar"
	}
	valid.Status = cmp.Or(valid.Status, PublishedStatus)
	return valid, CheckScenario(ctx, valid), nil
}

// ours are the read-only fields.
var ours = []string{"built_in", "created_at", "updated_at", "published_version"}

// explainRemoved names the replacement of each removed field.
func explainRemoved(found []strictjson.Violation) {
	for i := range found {
		if slices.Contains([]string{"llm.url", "llm.model", "llm.key_env"}, found[i].Field) {
			found[i].Message = "is set by the operator in llm-endpoints of munadi.yaml; " +
				"name an endpoint there by llm.endpoint"
		}
	}
}

// remainingViolations returns the rule violations of the parts that could be assigned. Violations at, in or around a
// field named in form are left out, since they may be consequences.
func remainingViolations(ctx context.Context, valid Scenario, form []strictjson.Violation) []strictjson.Violation {
	return slices.DeleteFunc(CheckScenario(ctx, valid), func(v strictjson.Violation) bool {
		return slices.ContainsFunc(form, func(f strictjson.Violation) bool {
			return strictjson.IsWithin(v.Field, f.Field) || strictjson.IsWithin(f.Field, v.Field)
		})
	})
}

// keepOrder takes the scenario's raw JSON from the text, in which the names keep their order.
func keepOrder(data []byte, s *Scenario) error {
	var raw struct {
		ResponseBody json.RawMessage `json:"response_body"`
		Report       ReportPlan      `json:"report"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	s.ResponseBody, s.Report = raw.ResponseBody, raw.Report
	for _, part := range []*json.RawMessage{&s.ResponseBody, &s.Report.Schema} {
		if string(*part) == "null" {
			*part = nil
		}
	}
	return nil
}

// IndexPath appends an index to a dotted path.
func IndexPath(path string, i int) string { return strictjson.JoinPath(path, i) }
