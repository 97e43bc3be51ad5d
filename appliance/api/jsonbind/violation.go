package jsonbind

import (
	"fmt"
	"strings"
)

// FieldViolation is one field that breaks a rule.
type FieldViolation struct {
	Field   string `json:"field"` // dotted path: retry.delay_minutes.0
	Message string `json:"message"`
}

// most is how many violations are listed at most.
const most = 100

// FieldViolations are all violations of a request, at most one for a field.
type FieldViolations []FieldViolation

// AddViolation adds a violation, unless the field, or an object or list around it, has one already.
func (v *FieldViolations) AddViolation(field, format string, args ...any) {
	if len(*v) >= most || v.HasViolation(field) {
		return
	}
	*v = append(*v, FieldViolation{Field: field, Message: fmt.Sprintf(format, args...)})
}

// HasViolation reports whether the field, or an object or list around it, has a violation.
func (v *FieldViolations) HasViolation(field string) bool {
	for _, one := range *v {
		if one.Field == field || strings.HasPrefix(field, one.Field+".") {
			return true
		}
	}
	return false
}

// JoinPath returns the dotted path of name below path.
func JoinPath(path string, name any) string {
	if path == "" {
		return fmt.Sprint(name)
	}
	return fmt.Sprintf("%s.%v", path, name)
}
