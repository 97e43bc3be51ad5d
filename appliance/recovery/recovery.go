// Package recovery recovers panics, so that one failed task does not end the process with its running calls and
// requests.
package recovery

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a recovered panic.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error; the stack follows the first line.
func (p *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// RecoverPanic runs work and returns a panic in it as a [*PanicError].
func RecoverPanic(work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{value, debug.Stack()}
		}
	}()
	return work()
}
