package service

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"munadi/store"
	"munadi/store/strictjson"
)

// Reasons that distinguish violations of one field.
const (
	NeverOpen   strictjson.Reason = "never_open"  // the calling hours of organization and scenario do not overlap
	ClosedHours strictjson.Reason = "closed"      // outside the calling hours
	Unspeakable strictjson.Reason = "unspeakable" // no voice can speak a line; the message quotes it
)

// FieldViolation is one field that breaks a rule.
type FieldViolation = strictjson.Violation

// FieldViolations are the violations of a request, at most one for a field.
type FieldViolations = strictjson.Violations

// violationError returns the violations as an error; nil without any.
func violationError(found ...FieldViolation) error {
	if len(found) == 0 {
		return nil
	}
	return &ViolationError{found}
}

// ViolationError lists all violations of a request. Its [store.CodeOf] is CodeInvalid.
type ViolationError struct{ Violations FieldViolations }

// Error names the first one.
func (e *ViolationError) Error() string {
	first := e.Violations[0].Field + ": " + e.Violations[0].Message
	if n := len(e.Violations); n > 1 {
		return fmt.Sprintf("%d violations, first %s", n, first)
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
	Stale          ConflictReason = "precondition_failed"   // another change came first (optimistic locking)
	StateForbidden ConflictReason = "conflict"              // any other state that does not allow the change
)

// ConflictError means that the state of a record does not allow a change. Its [store.CodeOf] is CodeConflict.
type ConflictError struct {
	Reason     ConflictReason
	Message    string // a sentence for the client
	Violations FieldViolations
}

// Error returns the message.
func (e *ConflictError) Error() string { return e.Message }

// Unwrap returns the store's error of the same meaning.
func (e *ConflictError) Unwrap() error { return store.Errorf(store.CodeConflict, "%s", e.Message) }

// explainConflict converts a conflict of the store into a [*ConflictError] with a reason and a message; an empty
// message means the store's. Other errors are returned unchanged.
func explainConflict(err error, reason ConflictReason, message string) error {
	var known *store.Error
	if !errors.As(err, &known) || known.Code != store.CodeConflict {
		return err
	}
	return &ConflictError{Reason: reason, Message: cmp.Or(message, known.Message)}
}

// Precondition decides in the transaction of a change whether the setting to be replaced is still the one that the
// caller has seen (optimistic locking); nil accepts any.
type Precondition[T any] func(kept T) bool

// check returns the [*ConflictError] with [Stale] if the setting was changed meanwhile.
func (p Precondition[T]) check(kept T) error {
	if p == nil || p(kept) {
		return nil
	}
	return errStale
}

var errStale = &ConflictError{
	Reason: Stale, Message: "It was changed meanwhile: read it again, and send your change with its new ETag",
}

// HashSetting returns the revision of a setting, a hash of its JSON: the value of an ETag, and of a form's field.
func HashSetting(setting any) string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(setting) // settings are plain records, which always encode
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}
