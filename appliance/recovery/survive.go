// Package recovery keeps the breakdown of one piece of work from ending the appliance, in which calls and other people's
// requests run beside it.
package recovery

import (
	"fmt"
	"runtime/debug"
)

// RecoverPanic does work; a panic in it is an error that says where it was.
func RecoverPanic(work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return work()
}
