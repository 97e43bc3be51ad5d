package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"munadi/store/call"
	"munadi/store/dialling"
)

// The bounds of a scenario.
const (
	MaxSteps     = 200
	MaxText      = 2000 // characters of one text
	maxName      = 200  // characters of the name
	maxLines     = 20   // said in a row
	maxVariables = 100
	maxChoices   = 100
	maxPhrases   = 100
	maxFinds     = 30 // slots of an llm step
	maxCases     = 50
	maxReasks    = 5
	maxTimeout   = 60    // seconds of silence
	minDuration  = 10    // seconds
	maxDuration  = 3600  // seconds
	minRing      = 5     // seconds
	maxRing      = 120   // seconds
	maxDelay     = 43200 // minutes: 30 days
	maxTurns     = 20
	maxLLM       = 30 // seconds
	maxSchema    = 64 << 10
)

var (
	idForm       = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)
	stepForm     = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	languageForm = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
	endpointForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)
)

// checker gathers violations.
type checker struct {
	ctx   context.Context // of the request whose scenario it is
	s     Scenario
	names map[string]bool // variables and slots
	steps map[string]int  // index by id
	found []Violation
}

// Check lists everything that is wrong with a scenario, in the order of its fields; nil when nothing is. A report schema
// that takes long to evaluate is given up when ctx ends, which is a violation too.
func Check(ctx context.Context, s Scenario) []Violation {
	c := &checker{ctx: ctx, s: s, names: map[string]bool{}, steps: map[string]int{}}
	for _, v := range s.Variables {
		c.names[v.Name] = true
	}
	for _, slot := range s.Slots() {
		c.names[slot.Name] = true
	}
	c.head()
	c.variables()
	c.allSteps()
	c.report()
	c.conduct()
	return c.found
}

func (c *checker) fail(field, format string, args ...any) {
	c.found = append(c.found, Violation{Field: field, Message: fmt.Sprintf(format, args...)})
}

// within wants n from low to high, or 0 for the default.
func (c *checker) within(field string, n, low, high int) {
	if n != 0 && (n < low || n > high) {
		c.fail(field, "must be from %d to %d", low, high)
	}
}

func (c *checker) short(field, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		c.fail(field, "has more than %d characters", most)
	}
}

func (c *checker) head() {
	if !idForm.MatchString(c.s.ID) {
		c.fail("id", "must have 1 to 64 of a-z 0-9 _ -")
	}
	if strings.TrimSpace(c.s.Name) == "" {
		c.fail("name", "must not be empty")
	}
	c.short("name", c.s.Name, maxName)
	c.short("description", c.s.Description, MaxText)
	if c.s.Language != "" && !languageForm.MatchString(c.s.Language) {
		c.fail("language", "must be a language tag such as ar")
	}
	c.short("voice", c.s.Voice, maxName)
}

func (c *checker) variables() {
	if len(c.s.Variables) > maxVariables {
		c.fail("variables", "are more than %d", maxVariables)
	}
	seen := map[string]bool{}
	for i, v := range c.s.Variables {
		path := at("variables", i)
		if !nameForm.MatchString(v.Name) {
			c.fail(path+".name", "must be a letter or _, then up to 63 letters, digits and _")
		} else if seen[v.Name] {
			c.fail(path+".name", "is there twice: %s", v.Name)
		}
		seen[v.Name] = true
		c.short(path+".description", v.Description, MaxText)
		c.short(path+".default", v.Default, MaxText)
	}
	for i, step := range c.s.Steps {
		if step.Slot != nil && seen[step.Slot.Name] {
			c.fail(at("steps", i)+".slot.name", "is the name of a variable: %s", step.Slot.Name)
		}
		for j, slot := range step.Slots {
			if seen[slot.Name] {
				c.fail(at(at("steps", i)+".slots", j)+".name", "is the name of a variable: %s", slot.Name)
			}
		}
	}
}

// report checks what is made of the conversation.
func (c *checker) report() {
	for _, name := range slices.Sorted(maps.Keys(c.s.Report.Values)) {
		c.jsonTemplate("report.values."+name, c.s.Report.Values[name])
	}
	if body := c.s.ResponseBody; len(body) > 0 && bytes.TrimSpace(body)[0] != '{' {
		c.fail("response_body", "must be an object")
	} else if len(body) > 0 {
		c.jsonTemplate("response_body", body)
	}
	c.schema()
}

func (c *checker) schema() {
	const field = "report.schema"
	raw := SchemaOf(c.s)
	if len(raw) > maxSchema {
		c.fail(field, "has more than %d bytes", maxSchema)
		return
	}
	if raw[0] != '{' {
		c.fail(field, "must be an object")
		return
	}
	schema, err := CompileSchema(raw)
	if err != nil {
		c.fail(field, "is no JSON Schema that can be used: %s", firstLine(err))
		return
	}
	empty, err := c.s.ReportOf(Unknown)
	if err != nil {
		return // a template, which has its own violation
	}
	if _, err := schema.Validate(c.ctx, empty); err != nil {
		c.fail(field, "must allow a report in which nothing was found out, %s: %s", empty, firstLine(err))
	}
}

// jsonTemplate checks the templates in the strings of a JSON value.
func (c *checker) jsonTemplate(field string, raw json.RawMessage) {
	if len(raw) > maxSchema {
		c.fail(field, "has more than %d bytes", maxSchema)
		return
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		c.fail(field, "is no JSON: %s", err)
		return
	}
	c.jsonTexts(field, tree)
}

func (c *checker) jsonTexts(path string, v any) {
	switch v := v.(type) {
	case string:
		for _, p := range c.template(path, v) {
			if p.Filter != "" {
				c.fail(path, "{{%s|%s}}: filters are for what is spoken", p.Name, p.Filter)
			}
		}
	case []any:
		for i := range v {
			c.jsonTexts(at(path, i), v[i])
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.jsonTexts(join(path, key), v[key])
		}
	}
}

// template checks one text and returns what it is made of.
func (c *checker) template(field, text string) []Part {
	parts, err := Parse(text)
	if err != nil {
		c.fail(field, "%s", err)
	}
	for _, p := range parts {
		if p.Name != "" && !c.names[p.Name] {
			c.fail(field, "{{%s}} is neither a variable nor a slot", p.Name)
		}
	}
	return parts
}

// conduct checks when, how often and how long people are called.
func (c *checker) conduct() {
	if c.s.Retry != nil {
		c.retry(*c.s.Retry)
	}
	for _, v := range dialling.CheckHours("calling_hours", c.s.CallingHours) {
		c.fail(v.Field, "%s", v.Message)
	}
	for _, v := range dialling.CheckZone("time_zone", c.s.TimeZone) {
		c.fail(v.Field, "%s", v.Message)
	}
	c.within("max_duration_seconds", c.s.MaxDurationSeconds, minDuration, maxDuration)
	c.within("ring_seconds", c.s.RingSeconds, minRing, maxRing)
	if !slices.Contains([]MachinePolicy{"", MachineOff, MachineDetect, MachineHangUp}, c.s.AnsweringMachine) {
		c.fail("answering_machine", "must be one of off, detect, detect_and_hang_up")
	}
	c.phrases("opt_out_phrases", c.s.OptOutPhrases)
	if c.s.LLM != nil {
		c.llm(*c.s.LLM)
	}
}

func (c *checker) retry(r call.Retry) {
	if r.MaxAttempts < 0 || r.MaxAttempts > call.MaxAttempts {
		c.fail("retry.max_attempts", "must be from 1 to %d", call.MaxAttempts)
	}
	if len(r.DelayMinutes) >= call.MaxAttempts {
		c.fail("retry.delay_minutes", "are more than %d", call.MaxAttempts-1)
	}
	for i, n := range r.DelayMinutes {
		if n < 1 || n > maxDelay {
			c.fail(at("retry.delay_minutes", i), "must be from 1 to %d", maxDelay)
		}
	}
	able := []call.Status{call.NoAnswer, call.UserRejected, call.UserUnavailable, call.Automation, call.Failed}
	for i, status := range r.On {
		if !slices.Contains(able, status) {
			c.fail(at("retry.on", i), "must be one of %v", able)
		}
	}
}

func (c *checker) phrases(field string, list []string) {
	if len(list) > maxPhrases {
		c.fail(field, "are more than %d", maxPhrases)
	}
	for i, phrase := range list {
		if strings.TrimSpace(phrase) == "" {
			c.fail(at(field, i), "must not be empty")
		}
		c.short(at(field, i), phrase, maxName)
	}
}

func (c *checker) llm(l LLM) {
	if !endpointForm.MatchString(l.Endpoint) {
		c.fail("llm.endpoint", "must be the name of an endpoint that the operator has set in llm-endpoints")
	}
	c.within("llm.timeout_seconds", l.TimeoutSeconds, 1, maxLLM)
}

// firstLine is an error's first line: libraries write trees.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
