package main

import (
	"os"
	"time"
)

// repeatWindow is how long after the first stop signal further ones count as the same request: timeout(1), and a
// terminal with a shell or make in between, signal a process and its group, so that the process gets the signal
// twice.
const repeatWindow = 250 * time.Millisecond

// watchStopSignals calls stop (graceful shutdown) at the first signal, and exit at the first one later than
// [repeatWindow] after it.
func watchStopSignals(signals <-chan os.Signal, stop, exit func()) {
	<-signals
	asked := time.Now()
	stop()
	for range signals {
		if time.Since(asked) > repeatWindow {
			exit()
			return
		}
	}
}
