package main

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestRepeatedStopSignal checks that a signal that arrives twice at once is one request to stop, and that a later one
// ends the process.
func TestRepeatedStopSignal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 3)
		stopped, exited := 0, 0
		go watchStopSignals(signals, func() { stopped++ }, func() { exited++ })
		signals <- syscall.SIGTERM
		signals <- syscall.SIGTERM
		time.Sleep(repeatWindow / 2)
		signals <- syscall.SIGTERM
		synctest.Wait()
		if stopped != 1 || exited != 0 {
			t.Errorf("after a repeated signal: stopped %d times, exited %d times", stopped, exited)
		}
		time.Sleep(repeatWindow)
		signals <- syscall.SIGTERM
		synctest.Wait()
		if stopped != 1 || exited != 1 {
			t.Errorf("after a second signal: stopped %d times, exited %d times", stopped, exited)
		}
	})
}
