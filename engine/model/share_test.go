package model

import "testing"

// A small encoder has a thread for each run. A large one shares the threads among two runs at least, which together
// take as long as they would one after another.
func TestThreadsAreSharedBySize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parameters                       int64
		threads, runs, parallel, session int
	}{
		{4_500_000, 2, 2, 2, 1},
		{4_500_000, 0, 1, 1, 1},
		{114_000_000, 1, 1, 1, 1},
		{114_000_000, 2, 2, 1, 2},
		{114_000_000, 16, 4, 4, 16},
	} {
		m := &SpeechModel{Parameters: c.parameters}
		o := m.shareThreads(c.threads)
		if m.Runs != c.runs || m.Parallel != c.parallel || o.Threads != c.session {
			t.Errorf("%d parameters, %d threads: %d runs, %d in parallel, on %d threads; want %d, %d, %d",
				c.parameters, c.threads, m.Runs, m.Parallel, o.Threads, c.runs, c.parallel, c.session)
		}
	}
}
