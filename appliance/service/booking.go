// Package service holds the use cases of the appliance. A use case takes input that is already parsed, applies the
// rules, makes one change of the store with its audit line, and returns the result. Doors parse requests, call a use
// case and render its result; two doors cannot differ in a rule.
package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"

	"munadi/store/call"
	"munadi/store/scenario"
)

// The bounds of what a booking may carry.
const (
	maxEntries = 100      // of metadata
	maxName    = 64       // characters of a name in metadata or variables
	maxValue   = 2000     // characters of a value in metadata
	maxBytes   = 64 << 10 // of metadata, and of variables, as JSON: lists of calls hold both
)

// FieldViolation is one rule that a request breaks. Field is a path such as calls.3.phone_number.
type FieldViolation struct{ Field, Message string }

// ViolationError is a request that breaks rules; it lists all of them.
type ViolationError struct{ Violations []FieldViolation }

// Error names the first one.
func (e *ViolationError) Error() string {
	return fmt.Sprintf(
		"%d rules are broken, first: %s %s",
		len(e.Violations),
		e.Violations[0].Field,
		e.Violations[0].Message,
	)
}

// violationList gathers violations.
type violationList []FieldViolation

func (l *violationList) addViolation(field, format string, args ...any) {
	*l = append(*l, FieldViolation{field, fmt.Sprintf(format, args...)})
}

// e164 is the form of an international number. Whether its plan exists is the carrier's affair.
var e164 = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// InvalidNumber is the message for a number that is not in E.164 form.
const InvalidNumber = "must be an E.164 number: a plus sign and 7 to 15 digits, the first of which is not 0"

// IsValidNumber says whether text is a number in E.164 form.
func IsValidNumber(text string) bool { return e164.MatchString(text) }

// CheckMetadata lists what is wrong with a booking's metadata.
func CheckMetadata(all map[string]string) []FieldViolation {
	var found violationList
	if len(all) > maxEntries {
		found.addViolation("metadata", "must have at most %d entries", maxEntries)
		return found
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		found.checkName("metadata", name)
		if utf8.RuneCountInString(all[name]) > maxValue {
			found.addViolation("metadata."+name, "must have at most %d characters", maxValue)
		}
	}
	found.checkSize("metadata", all)
	return found
}

// CheckVariableNames lists what is wrong with the names and the size of a booking's variables; their values are the
// scenario's affair.
func CheckVariableNames(all map[string]any) []FieldViolation {
	var found violationList
	for _, name := range slices.Sorted(maps.Keys(all)) {
		found.checkName("variables", name)
	}
	found.checkSize("variables", all)
	return found
}

func (l *violationList) checkName(path, name string) {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName {
		l.addViolation(path, "must have names of 1 to %d characters", maxName)
	}
}

// checkSize bounds what is carried along with a call.
func (l *violationList) checkSize(path string, all any) {
	if data, err := json.Marshal(all); err != nil || len(data) > maxBytes {
		l.addViolation(path, "must take at most %d KiB as JSON", maxBytes>>10)
	}
}

// PlanRetry is the retry plan of a call of a scenario: attempts and waits as asked for, else as the scenario says.
func PlanRetry(s scenario.Scenario, asked *call.RetryPlan) call.RetryPlan {
	var plan call.RetryPlan
	if s.Retry != nil {
		plan = *s.Retry
	}
	if asked != nil {
		plan.MaxAttempts, plan.DelayMinutes = asked.MaxAttempts, asked.DelayMinutes
	}
	plan.MaxAttempts = min(max(plan.MaxAttempts, 1), call.MaxAttempts)
	return plan
}
