package store

import (
	"errors"
	"fmt"
	"syscall"
)

// ErrorCode says what kind of failure an error is; it is stable, callers may depend on it.
type ErrorCode string

// The codes.
const (
	CodeNotFound ErrorCode = "not_found" // no such record in this organization
	CodeConflict ErrorCode = "conflict"  // an id in use, or a record in a state that does not allow this
	CodeInvalid  ErrorCode = "invalid"   // a record that may not be
	CodeTooLarge ErrorCode = "too_large" // a record beyond what the database takes
	CodeInUse    ErrorCode = "in_use"    // another process has the database open
	CodeFormat   ErrorCode = "format"    // the database was written by a newer version
	CodeCorrupt  ErrorCode = "corrupt"   // a record cannot be read back
	CodeKey      ErrorCode = "key"       // the key file does not fit the database
	CodeClosed   ErrorCode = "closed"    // the store is closed
	CodeNoRoom   ErrorCode = "no_room"   // the disk is full or read-only; nothing was written
	CodeInternal ErrorCode = "internal"  // anything else
)

// Error is a failure that a caller may tell apart by its code.
type Error struct {
	Code    ErrorCode
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
func Errorf(code ErrorCode, format string, args ...any) *Error {
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
