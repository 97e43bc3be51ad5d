package processors_test

import (
	"runtime"
	"testing"

	"munadi/engine/processors"
)

// TestShareByKernel checks that threads are added, though not against the operator's will, and that the number of
// processors stays.
func TestShareByKernel(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	n := processors.CountProcessors()

	t.Setenv("GOMAXPROCS", "1")
	processors.ShareByKernel()
	if got := runtime.GOMAXPROCS(0); got != before {
		t.Errorf("%d threads with GOMAXPROCS set, want %d", got, before)
	}

	t.Setenv("GOMAXPROCS", "")
	processors.ShareByKernel()
	if got := runtime.GOMAXPROCS(0); got <= n || processors.CountProcessors() != n {
		t.Errorf("%d threads, %d processors; want more than %d, and %d", got, processors.CountProcessors(), n, n)
	}
}
