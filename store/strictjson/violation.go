package strictjson

import (
	"fmt"
	"strings"
)

// Violation is one field that breaks a rule.
type Violation struct {
	Field   string `json:"field"` // dotted path: retry.delay_minutes.0
	Message string `json:"message"`
	Reason  Reason `json:"-"` // empty if the field is enough
}

// Reason distinguishes violations of one field, for callers with their own texts.
type Reason string

// maxViolations is the maximum number of listed violations.
const maxViolations = 100

// Violations are the violations of a request, at most one for a field.
type Violations []Violation

// AddViolation adds a violation, unless the field, or an object or list around it, has one already.
func (v *Violations) AddViolation(field, format string, args ...any) {
	v.AddAll([]Violation{{Field: field, Message: fmt.Sprintf(format, args...)}})
}

// AddReason is AddViolation with a reason.
func (v *Violations) AddReason(reason Reason, field, format string, args ...any) {
	v.AddAll([]Violation{{Field: field, Message: fmt.Sprintf(format, args...), Reason: reason}})
}

// AddAll adds violations as AddViolation does.
func (v *Violations) AddAll(found []Violation) {
	for _, one := range found {
		if len(*v) < maxViolations && !v.HasViolation(one.Field) {
			*v = append(*v, one)
		}
	}
}

// HasViolation reports whether the field, or an object or list around it, has a violation.
func (v *Violations) HasViolation(field string) bool {
	for _, one := range *v {
		if IsWithin(field, one.Field) {
			return true
		}
	}
	return false
}

// IsWithin reports whether a field is other or inside it.
func IsWithin(field, other string) bool {
	return field == other || strings.HasPrefix(field, other+".")
}

// JoinPath returns the dotted path of name, a key or an index, below path.
func JoinPath(path string, name any) string {
	if path == "" {
		return fmt.Sprint(name)
	}
	return fmt.Sprintf("%s.%v", path, name)
}

// PrefixPath prepends path to a violation's field, which is empty if the violation concerns the whole value.
func PrefixPath(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return JoinPath(path, field)
}
