package jsonbind

import (
	"fmt"
	"strings"
)

// FieldViolation is one place where a request breaks a rule.
type FieldViolation struct {
	Field   string `json:"field"` // dotted path: retry.delay_minutes.0
	Message string `json:"message"`
}

// most is how many violations are listed; a request that has more is beyond repair.
const most = 100

// FieldViolations are all that is wrong with a request, at most one for a field.
type FieldViolations []FieldViolation

// AddViolation lists a violation, unless the field, or what it lies in, has one.
func (v *FieldViolations) AddViolation(field, format string, args ...any) {
	if len(*v) >= most || v.HasViolation(field) {
		return
	}
	*v = append(*v, FieldViolation{Field: field, Message: fmt.Sprintf(format, args...)})
}

// HasViolation says whether the field, or what it lies in, has one.
func (v *FieldViolations) HasViolation(field string) bool {
	for _, one := range *v {
		if one.Field == field || strings.HasPrefix(field, one.Field+".") {
			return true
		}
	}
	return false
}

// JoinPath is the path of name below path.
func JoinPath(path string, name any) string {
	if path == "" {
		return fmt.Sprint(name)
	}
	return fmt.Sprintf("%s.%v", path, name)
}
