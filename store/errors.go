package store

import (
	"errors"
	"fmt"
	"syscall"
)

// ErrorCode is the stable kind of a store error, for callers to act on.
type ErrorCode string

// Error codes.
const (
	CodeNotFound ErrorCode = "not_found" // no such record in this organization
	CodeConflict ErrorCode = "conflict"  // an id in use, or a record in a state that does not allow this
	CodeInvalid  ErrorCode = "invalid"   // a malformed record or argument
	CodeTooLarge ErrorCode = "too_large" // a record larger than the database accepts
	CodeInUse    ErrorCode = "in_use"    // another process has the database open
	CodeFormat   ErrorCode = "format"    // the database was written by a newer version
	CodeCorrupt  ErrorCode = "corrupt"   // a record cannot be read back
	CodeKey      ErrorCode = "key"       // the key file does not fit the database
	CodeClosed   ErrorCode = "closed"    // the store is closed
	CodeNoRoom   ErrorCode = "no_room"   // the disk is full or read-only; no change was written
	// CodeUnavailable: the database is unreachable or cannot serve requests; the same call may succeed later.
	CodeUnavailable ErrorCode = "unavailable"
	CodeInternal    ErrorCode = "internal" // anything else
)

// Error is a store failure with a code that callers can act on.
type Error struct {
	Code    ErrorCode
	Message string // safe to show to a person
	Err     error  // the cause, for the log; may be nil
}

// Error returns the message, followed by the cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf builds an error of a code, without a cause.
func Errorf(code ErrorCode, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// IsNoRoom reports whether err says that the disk is full or read-only: [CodeNoRoom], or the matching error of the
// operating system.
func IsNoRoom(err error) bool {
	if CodeOf(err) == CodeNoRoom {
		return true
	}
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}

// IgnoreMissing returns nil for the error of a missing or unreadable record, and other errors unchanged.
func IgnoreMissing(err error) error {
	if code := CodeOf(err); code == CodeNotFound || code == CodeCorrupt {
		return nil
	}
	return err
}

// IsUnreadable reports whether err is that of a damaged record.
func IsUnreadable(err error) bool { return CodeOf(err) == CodeCorrupt }

// CodeOf returns the code of err: empty for nil, [CodeInternal] for an error that is not the store's.
func CodeOf(err error) ErrorCode {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	default:
		return CodeInternal
	}
}
