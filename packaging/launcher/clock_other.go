//go:build !(linux && amd64)

package launcher

import (
	"os/exec"
	"time"
)

// startWithClock starts a command; a wrong wall clock is not supported on this platform.
func startWithClock(cmd *exec.Cmd, wrong time.Duration) error {
	if wrong != 0 {
		return errNoClock
	}
	return cmd.Start()
}
