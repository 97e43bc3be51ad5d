package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ReportSchema is a compiled report schema. It is safe for concurrent use: evaluations are serialized.
type ReportSchema struct {
	compiled *jsonschema.Schema
	mu       sync.Mutex
	budget   *evaluationBudget
}

// errRemote refuses remote references in schemas.
var errRemote = errors.New("a schema must not refer to other documents")

type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errRemote }

const schemaURL = "urn:munadi:report"

// CompileSchema compiles a self-contained JSON Schema (draft 2020-12 by default). It refuses schemas that are nested
// too deep, contain an expensive number or pattern, or whose references expand to more than [maxExpansions] subschemas.
func CompileSchema(raw json.RawMessage) (*ReportSchema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	if err := checkDocument(doc, 0); err != nil {
		return nil, err
	}
	b := &evaluationBudget{}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(b.compilePattern)
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, err
	}
	if countExpansions(compiled) > maxExpansions {
		return nil, errExpansions
	}
	b.meterSchemas(compiled)
	return &ReportSchema{compiled: compiled, budget: b}, nil
}

// evaluationTime is the timeout of one evaluation of a report.
const evaluationTime = 2 * time.Second

// ValidateReport validates a report; nil when it conforms. properties are the names of the invalid top-level
// properties. The evaluation is aborted with an error when ctx ends, after [evaluationTime], or at a cost of
// [maxEvaluations].
func (s *ReportSchema) ValidateReport(ctx context.Context, report json.RawMessage) (properties []string, err error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		return nil, err
	}
	if err := checkDocument(doc, 0); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, evaluationTime)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.budget.runBudgeted(ctx, func() error { return s.compiled.Validate(doc) })
	var broken *jsonschema.ValidationError
	if errors.As(err, &broken) {
		names := map[string]bool{}
		gatherFailures(broken, names)
		properties = slices.Sorted(maps.Keys(names))
		return properties, fmt.Errorf("the report violates its schema at %v", properties)
	}
	return nil, err
}

// gatherFailures collects the top-level property of each validation error.
func gatherFailures(e *jsonschema.ValidationError, names map[string]bool) {
	if len(e.Causes) == 0 && len(e.InstanceLocation) > 0 {
		names[e.InstanceLocation[0]] = true
	}
	for _, cause := range e.Causes {
		gatherFailures(cause, names)
	}
}
