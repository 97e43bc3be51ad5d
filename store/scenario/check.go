package scenario

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/strictjson"
)

// Limits of a scenario.
const (
	MaxSteps     = 200
	MaxText      = 2000 // characters of one text
	maxName      = 200  // characters of the name
	maxLines     = 20   // consecutive spoken lines
	maxTargets   = 10   // of a transfer
	maxVariables = 100
	maxChoices   = 100
	maxPhrases   = 100
	maxQuestions = 50
	maxFinds     = 30 // slots of an llm step
	maxTools     = 8  // of an llm step
	maxCases     = 50
	maxReasks    = 5
	maxTimeout   = 60  // seconds of silence
	minPatience  = 0.5 // factor of the silences that end an answer
	maxPatience  = 3.0
	maxWrong     = 100   // of 1,000 answers
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

// scenarioChecker collects violations.
type scenarioChecker struct {
	ctx   context.Context // of the request that submits the scenario
	s     Scenario
	names map[string]bool // names of variables and slots
	steps map[string]int  // index by id
	found []strictjson.Violation
}

// CheckScenario validates a scenario and returns all violations, in the order of its fields; nil for a valid one. The
// evaluation of a slow report schema is aborted when ctx ends, which is a violation too.
func CheckScenario(ctx context.Context, s Scenario) []strictjson.Violation {
	c := &scenarioChecker{ctx: ctx, s: s, names: map[string]bool{}, steps: map[string]int{}}
	for _, v := range s.Variables {
		c.names[v.Name] = true
	}
	for _, slot := range s.AllSlots() {
		c.names[slot.Name] = true
	}
	c.checkHead()
	c.checkVariables()
	c.allSteps()
	c.checkReport()
	c.checkConduct()
	c.checkTests()
	return c.found
}

func (c *scenarioChecker) addFailure(field, format string, args ...any) {
	c.found = append(c.found, strictjson.Violation{Field: field, Message: fmt.Sprintf(format, args...)})
}

// checkRange requires n between low and high, or 0 for the default.
func (c *scenarioChecker) checkRange(field string, n, low, high int) {
	if n != 0 && (n < low || n > high) {
		c.addFailure(field, "must be from %d to %d", low, high)
	}
}

func (c *scenarioChecker) checkLength(field, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		c.addFailure(field, "has more than %d characters", most)
	}
}

func (c *scenarioChecker) checkHead() {
	if !idForm.MatchString(c.s.ID) {
		c.addFailure("id", "must have 1 to 64 of a-z 0-9 _ -")
	}
	if c.s.Status != "" && c.s.Status != DraftStatus && c.s.Status != PublishedStatus {
		c.addFailure("status", "must be %s or %s", DraftStatus, PublishedStatus)
	}
	if strings.TrimSpace(c.s.Name) == "" {
		c.addFailure("name", "must not be empty")
	}
	c.checkLength("name", c.s.Name, maxName)
	c.checkLength("description", c.s.Description, MaxText)
	if c.s.Language != "" && !languageForm.MatchString(c.s.Language) {
		c.addFailure("language", "must be a language tag such as ar")
	}
	c.checkLength("voice", c.s.Voice, maxName)
}

func (c *scenarioChecker) checkVariables() {
	if len(c.s.Variables) > maxVariables {
		c.addFailure("variables", "must have at most %d entries", maxVariables)
	}
	seen := map[string]bool{}
	for i, v := range c.s.Variables {
		path := IndexPath("variables", i)
		if !nameForm.MatchString(v.Name) {
			c.addFailure(path+".name", "must be a letter or _, then up to 63 letters, digits and _")
		} else if seen[v.Name] {
			c.addFailure(path+".name", "is declared twice: %s", v.Name)
		}
		seen[v.Name] = true
		c.checkLabel(path+".label", v.Label)
		c.checkLength(path+".description", v.Description, MaxText)
		c.checkLength(path+".default", v.Default, MaxText)
		if v.Role != "" && v.Role != NameRole {
			c.addFailure(path+".role", "must be name, or absent")
		}
		c.variableType(path, v)
	}
	for i, step := range c.s.Steps {
		if step.Slot != nil && seen[step.Slot.Name] {
			c.addFailure(IndexPath("steps", i)+".slot.name", "is the name of a variable: %s", step.Slot.Name)
		}
		for j, slot := range step.Slots {
			if seen[slot.Name] {
				c.addFailure(IndexPath(IndexPath("steps", i)+".slots", j)+".name", "is the name of a variable: %s", slot.Name)
			}
		}
	}
}

// variableType checks a variable's type, and its default and choices against it.
func (c *scenarioChecker) variableType(path string, v ScenarioVariable) {
	types := []VariableType{
		"", TextVariable, DateVariable, TimeVariable, NumberVariable, PhoneVariable, ChoiceVariable,
	}
	if !slices.Contains(types, v.Type) {
		c.addFailure(path+".type", "must be one of text, date, time, number, phone, choice")
		return
	}
	if v.Type != ChoiceVariable && len(v.Choices) > 0 {
		c.addFailure(path+".choices", "are only for a choice")
	}
	if v.Type == ChoiceVariable && (len(v.Choices) == 0 || len(v.Choices) > maxChoices) {
		c.addFailure(path+".choices", "must be 1 to %d", maxChoices)
	}
	for i, choice := range v.Choices {
		if strings.TrimSpace(choice) == "" || slices.Contains(v.Choices[:i], choice) {
			c.addFailure(IndexPath(path+".choices", i), "must not be empty or repeated")
		}
		c.checkLength(IndexPath(path+".choices", i), choice, maxName)
	}
	c.checkChoiceLabels(path+".choice_labels", v)
	if fault := v.typeFault(v.Default); v.Default != "" && fault != "" {
		c.addFailure(path+".default", "%s", fault)
	}
}

// checkConduct validates calling hours, retries and durations.
func (c *scenarioChecker) checkConduct() {
	if c.s.Retry != nil {
		c.checkRetry(*c.s.Retry)
	}
	for _, v := range callrules.CheckHours("calling_hours", c.s.CallingHours) {
		c.addFailure(v.Field, "%s", v.Message)
	}
	for _, v := range callrules.CheckZone("time_zone", c.s.TimeZone) {
		c.addFailure(v.Field, "%s", v.Message)
	}
	c.checkRange("max_duration_seconds", c.s.MaxDurationSeconds, minDuration, maxDuration)
	c.checkRange("ring_seconds", c.s.RingSeconds, minRing, maxRing)
	if !slices.Contains([]MachinePolicy{"", MachineOff, MachineDetect, MachineHangUp}, c.s.AnsweringMachine) {
		c.addFailure("answering_machine", "must be one of off, detect, detect_and_hang_up")
	}
	c.checkPhrases("opt_out_phrases", c.s.OptOutPhrases)
	if c.s.LLM != nil {
		c.checkLLM(*c.s.LLM)
	}
}

func (c *scenarioChecker) checkRetry(r call.RetryPlan) {
	if r.MaxAttempts < 0 || r.MaxAttempts > call.MaxAttempts {
		c.addFailure("retry.max_attempts", "must be from 1 to %d", call.MaxAttempts)
	}
	if len(r.DelayMinutes) >= call.MaxAttempts {
		c.addFailure("retry.delay_minutes", "must have at most %d entries", call.MaxAttempts-1)
	}
	for i, n := range r.DelayMinutes {
		if n < 1 || n > maxDelay {
			c.addFailure(IndexPath("retry.delay_minutes", i), "must be from 1 to %d", maxDelay)
		}
	}
	able := []call.CallStatus{call.NoAnswer, call.UserRejected, call.UserUnavailable, call.Automation, call.Failed}
	for i, status := range r.On {
		if !slices.Contains(able, status) {
			c.addFailure(IndexPath("retry.on", i), "must be one of %v", able)
		}
	}
}

func (c *scenarioChecker) checkPhrases(field string, list []string) {
	if len(list) > maxPhrases {
		c.addFailure(field, "must have at most %d entries", maxPhrases)
	}
	for i, phrase := range list {
		if strings.TrimSpace(phrase) == "" {
			c.addFailure(IndexPath(field, i), "must not be empty")
		}
		c.checkLength(IndexPath(field, i), phrase, maxName)
	}
}

func (c *scenarioChecker) checkLLM(l ModelEndpoint) {
	if !endpointForm.MatchString(l.Endpoint) {
		c.addFailure("llm.endpoint", "must be the name of an endpoint that the operator has set in llm-endpoints")
	}
	c.checkRange("llm.timeout_seconds", l.TimeoutSeconds, 1, maxLLM)
}

// firstLine returns an error's first line, since libraries return multi-line trees.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
