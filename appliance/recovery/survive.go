// Package recovery recovers panics, so that one failed task does not end the process with its running calls and
// requests.
package recovery

import (
	"fmt"
	"runtime/debug"
)

// RecoverPanic runs work and returns a panic in it as an error with its stack.
func RecoverPanic(work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return work()
}
