package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
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
	if broken, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
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

// Cost limits of a report schema.
const (
	maxDepth        = 100     // nesting of a schema's or report's JSON
	maxExpansions   = 20_000  // subschemas, counted once per reference
	maxEvaluations  = 200_000 // subschema evaluations, about a microsecond each
	maxPattern      = 1000    // bytes of a regular expression
	maxInstructions = 5000    // of a compiled regular expression
	stepsPerUnit    = 50      // steps of a regular expression that cost as much as one evaluation
	unitsPerLook    = 256     // evaluations between two checks of the context
)

var (
	errExpansions = fmt.Errorf("its references expand to more than %d subschemas; refer to each definition fewer times",
		maxExpansions)
	errEvaluations = fmt.Errorf("an evaluation takes more than %d steps; simplify the schema", maxEvaluations)
	errNesting     = fmt.Errorf("is nested deeper than %d levels", maxDepth)
	errNumber      = errors.New("has a number with more than 30 characters or an exponent beyond 400")
)

// checkDocument limits the nesting of parsed JSON, and the size of its numbers, because the library computes with exact
// fractions.
func checkDocument(doc any, depth int) error {
	if depth > maxDepth {
		return errNesting
	}
	switch v := doc.(type) {
	case json.Number:
		return checkNumber(v.String())
	case []any:
		for _, item := range v {
			if err := checkDocument(item, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, item := range v {
			if err := checkDocument(item, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkNumber(text string) error {
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if exponent == "" {
		exponent = "0"
	}
	if n, err := strconv.Atoi(exponent); err != nil || n < -400 || n > 400 || len(text) > 30 {
		return errNumber
	}
	return nil
}

// countExpansions returns the number of subschemas, counted once per reference, at most [maxExpansions]+1. A recursive
// reference counts as one, since it only expands with the report's depth.
func countExpansions(root *jsonschema.Schema) int {
	counts := map[*jsonschema.Schema]int{}
	var count func(*jsonschema.Schema) int
	count = func(s *jsonschema.Schema) int {
		if n, known := counts[s]; known {
			return n
		}
		counts[s] = 1
		n := 1
		for _, sub := range listSubschemas(s) {
			n = min(n+count(sub), maxExpansions+1)
		}
		counts[s] = n
		return n
	}
	return count(root)
}

// listSubschemas returns all schemas that an evaluation of s may visit next.
func listSubschemas(s *jsonschema.Schema) []*jsonschema.Schema {
	all := []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties, s.Contains,
		s.Items2020, s.UnevaluatedItems, s.ContentSchema,
	}
	if s.DynamicRef != nil {
		all = append(all, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		all = append(all, list...)
	}
	all = append(all, keyedSubschemas(s)...)
	for _, either := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		switch v := either.(type) {
		case *jsonschema.Schema:
			all = append(all, v)
		case []*jsonschema.Schema:
			all = append(all, v...)
		}
	}
	return withoutNil(all)
}

// keyedSubschemas returns the subschemas under names.
func keyedSubschemas(s *jsonschema.Schema) []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, sub := range s.Properties {
		all = append(all, sub)
	}
	for _, sub := range s.PatternProperties {
		all = append(all, sub)
	}
	for _, sub := range s.DependentSchemas {
		all = append(all, sub)
	}
	for _, either := range s.Dependencies {
		if sub, ok := either.(*jsonschema.Schema); ok {
			all = append(all, sub)
		}
	}
	return all
}

func withoutNil(all []*jsonschema.Schema) []*jsonschema.Schema {
	kept := all[:0]
	for _, s := range all {
		if s != nil {
			kept = append(kept, s)
		}
	}
	return kept
}

// evaluationBudget meters one evaluation at a time.
type evaluationBudget struct {
	ctx  context.Context
	left int
	look int // units until the next check of the context
}

// budgetExceeded is the panic value that aborts an evaluation: the library offers no other way.
type budgetExceeded struct{ err error }

// runBudgeted runs an evaluation under the budget.
func (b *evaluationBudget) runBudgeted(ctx context.Context, evaluate func() error) (err error) {
	b.ctx, b.left, b.look = ctx, maxEvaluations, 0
	defer func() {
		b.ctx = nil
		if p := recover(); p != nil {
			stopped, ours := p.(budgetExceeded)
			if !ours {
				panic(p) //nolint:forbidigo // the library has no other way out; runBudgeted recovers it
			}
			err = stopped.err
		}
	}()
	return evaluate()
}

// spendUnits spends units of the budget.
func (b *evaluationBudget) spendUnits(units int) {
	if b.ctx == nil { // during compilation
		return
	}
	if b.left -= units; b.left < 0 {
		panic(budgetExceeded{errEvaluations}) //nolint:forbidigo // the library has no other way out; runBudgeted recovers it
	}
	if b.look -= units; b.look < 0 {
		b.look = unitsPerLook
		if err := b.ctx.Err(); err != nil {
			stopped := fmt.Errorf("the evaluation was stopped: %w", err)
			panic(budgetExceeded{stopped}) //nolint:forbidigo // the library has no other way out; runBudgeted recovers it
		}
	}
}

// meterSchemas makes every schema reachable from root spend a unit, plus one per subschema, before these are evaluated:
// format is evaluated first.
func (b *evaluationBudget) meterSchemas(root *jsonschema.Schema) {
	metered := map[*jsonschema.Schema]bool{}
	for waiting := []*jsonschema.Schema{root}; len(waiting) > 0; {
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if metered[s] {
			continue
		}
		metered[s] = true
		below := listSubschemas(s)
		s.Format = b.meteredFormat(s.Format, 1+len(below))
		waiting = append(waiting, below...)
	}
}

func (b *evaluationBudget) meteredFormat(original *jsonschema.Format, units int) *jsonschema.Format {
	if original == nil {
		return &jsonschema.Format{Validate: func(any) error { b.spendUnits(units); return nil }}
	}
	return &jsonschema.Format{Name: original.Name, Validate: func(v any) error {
		b.spendUnits(units)
		return original.Validate(v)
	}}
}

// meteredPattern is a regular expression that charges its time to the budget.
type meteredPattern struct {
	*regexp.Regexp
	budget       *evaluationBudget
	instructions int
}

// MatchString implements [jsonschema.Regexp].
func (p *meteredPattern) MatchString(text string) bool {
	p.budget.spendUnits(1 + p.instructions*len(text)/stepsPerUnit)
	return p.Regexp.MatchString(text)
}

// compilePattern implements [jsonschema.RegexpEngine].
func (b *evaluationBudget) compilePattern(text string) (jsonschema.Regexp, error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("a pattern has more than %d bytes", maxPattern)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if len(program.Inst) > maxInstructions {
		return nil, fmt.Errorf("a pattern compiles to more than %d instructions; use smaller repetitions", maxInstructions)
	}
	compiled, err := regexp.Compile(text)
	return &meteredPattern{compiled, b, len(program.Inst)}, err
}
