package body

import (
	"fmt"
	"strings"
)

// Violation is one place where a request breaks a rule.
type Violation struct {
	Field   string `json:"field"` // dotted path: retry.delay_minutes.0
	Message string `json:"message"`
}

// most is how many violations are listed; a request that has more is beyond repair.
const most = 100

// Violations are all that is wrong with a request, at most one for a field.
type Violations []Violation

// Add lists a violation, unless the field, or what it lies in, has one.
func (v *Violations) Add(field, format string, args ...any) {
	if len(*v) >= most || v.Has(field) {
		return
	}
	*v = append(*v, Violation{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Has says whether the field, or what it lies in, has one.
func (v *Violations) Has(field string) bool {
	for _, one := range *v {
		if one.Field == field || strings.HasPrefix(field, one.Field+".") {
			return true
		}
	}
	return false
}

// Join is the path of name below path.
func Join(path string, name any) string {
	if path == "" {
		return fmt.Sprint(name)
	}
	return fmt.Sprintf("%s.%v", path, name)
}
