package service

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"munadi/store"
)

// ViolationReason tells violations of one field apart, for doors that show them in words of their own.
type ViolationReason string

// Reasons that a field alone does not tell.
const (
	NeverOpen   ViolationReason = "never_open"  // the calling hours of organization and scenario never meet
	ClosedHours ViolationReason = "closed"      // outside the calling hours
	Unspeakable ViolationReason = "unspeakable" // no voice can say a line; the message quotes it
)

// FieldViolation is one field that breaks a rule.
type FieldViolation struct {
	Field   string          `json:"field"` // dotted path: retry.delay_minutes.0
	Message string          `json:"message"`
	Reason  ViolationReason `json:"-"` // empty where the field says enough
}

// mostViolations is how many violations are listed at most.
const mostViolations = 100

// FieldViolations are the violations of a request, at most one for a field.
type FieldViolations []FieldViolation

// AddViolation adds a violation, unless the field, or an object or list around it, has one already.
func (v *FieldViolations) AddViolation(field, format string, args ...any) {
	v.addReason("", field, format, args...)
}

// addReason is AddViolation with a reason.
func (v *FieldViolations) addReason(reason ViolationReason, field, format string, args ...any) {
	if len(*v) < mostViolations && !v.HasViolation(field) {
		*v = append(*v, FieldViolation{Field: field, Message: fmt.Sprintf(format, args...), Reason: reason})
	}
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

// AddViolations adds the violations that a package of the store found.
func AddViolations[V ~struct{ Field, Message string }](to *FieldViolations, found []V) {
	for _, one := range found {
		plain := struct{ Field, Message string }(one)
		to.AddViolation(plain.Field, "%s", plain.Message)
	}
}

// mergeViolations adds the violations of a part of the request.
func (v *FieldViolations) mergeViolations(found FieldViolations) {
	for _, one := range found {
		v.addReason(one.Reason, one.Field, "%s", one.Message)
	}
}

// asError returns the violations as an error; nil without any.
func (v FieldViolations) asError() error {
	if len(v) == 0 {
		return nil
	}
	return &ViolationError{v}
}

// ViolationError is a request that breaks rules; it lists all of them. Its [store.CodeOf] is CodeInvalid.
type ViolationError struct{ Violations FieldViolations }

// Error names the first one.
func (e *ViolationError) Error() string {
	first := e.Violations[0].Field + ": " + e.Violations[0].Message
	if n := len(e.Violations); n > 1 {
		return fmt.Sprintf("%d rules are broken, first %s", n, first)
	}
	return first
}

// Unwrap returns the store's error of the same meaning.
func (e *ViolationError) Unwrap() error { return store.Errorf(store.CodeInvalid, "%s", e.Error()) }

// ConflictReason is the kind of a conflict; the values are the API's error types.
type ConflictReason string

// Reasons of conflicts.
const (
	CallReleased   ConflictReason = "call_already_released" // the call is no longer scheduled
	CallNotActive  ConflictReason = "call_not_active"       // the call is not running
	KeyReused      ConflictReason = "idempotency_conflict"  // an idempotency key was used for another request
	StateForbidden ConflictReason = "conflict"              // any other state that does not allow the change
)

// ConflictError is a change that the state of a thing does not allow. Its [store.CodeOf] is CodeConflict.
type ConflictError struct {
	Reason     ConflictReason
	Message    string // a sentence for the client
	Violations FieldViolations
}

// Error returns the message.
func (e *ConflictError) Error() string { return e.Message }

// Unwrap returns the store's error of the same meaning.
func (e *ConflictError) Unwrap() error { return store.Errorf(store.CodeConflict, "%s", e.Message) }

// explainConflict gives the store's conflict a reason and a message, where the store's own says too little; any other
// error stays.
func explainConflict(err error, reason ConflictReason, message string) error {
	var known *store.Error
	if !errors.As(err, &known) || known.Code != store.CodeConflict {
		return err
	}
	return &ConflictError{Reason: reason, Message: cmp.Or(message, known.Message)}
}
