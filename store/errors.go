package store

import (
	"errors"
	"fmt"
	"syscall"
)

// Code says what kind of failure an error is; it is stable, callers may depend on it.
type Code string

// The codes.
const (
	CodeNotFound Code = "not_found" // no such record in this organization
	CodeConflict Code = "conflict"  // an id in use, or a record in a state that does not allow this
	CodeInvalid  Code = "invalid"   // a record that may not be
	CodeTooLarge Code = "too_large" // a record beyond what the database takes
	CodeInUse    Code = "in_use"    // another process has the database open
	CodeFormat   Code = "format"    // the database was written by a newer version
	CodeCorrupt  Code = "corrupt"   // a record cannot be read back
	CodeKey      Code = "key"       // the key file does not fit the database
	CodeClosed   Code = "closed"    // the store is closed
	CodeNoRoom   Code = "no_room"   // the disk is full or read-only; nothing was written
	CodeInternal Code = "internal"  // anything else
)

// Error is a failure that a caller may tell apart by its code.
type Error struct {
	Code    Code
	Message string // safe to show to a person
	Err     error  // the cause, for the log; may be nil
}

// Error is the message, with the cause behind it.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an error of a code without a cause.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// IsNoRoom says that err comes of a disk that takes nothing more: [CodeNoRoom], or what the system says of a file.
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

// CodeOf is the code of err: empty for nil, [CodeInternal] for an error that is not the store's.
func CodeOf(err error) Code {
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
