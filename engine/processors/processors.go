// Package processors says how many processors the process may use, also where Go runs more threads than that.
package processors

import (
	"os"
	"runtime"
)

// perProcessor is how many threads run Go code for each processor, see [ShareByKernel].
const perProcessor = 4

// count is read before anything changes it. It respects a container's limit, and GOMAXPROCS in the environment.
var count = runtime.GOMAXPROCS(0)

// CountProcessors returns how many processors the process may use. Work that computes is divided by it.
func CountProcessors() int { return count }

// ShareByKernel lets several threads run Go code on each processor, unless GOMAXPROCS is set in the environment. Go's
// scheduler has no priorities, and lets a goroutine that computes run for 10 ms: behind a few of them a packet of sound
// that is due waits too long to be played. The kernel prefers the thread that slept.
func ShareByKernel() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(perProcessor * count)
	}
}
