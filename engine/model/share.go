package model

import "munadi/engine/ort"

const (
	// sharedFrom is the number of parameters from which one run uses several threads: the operators of a smaller encoder
	// finish before a second thread wakes up.
	sharedFrom = 32_000_000
	// threadsPerRun is the number of threads that one run of a large encoder can use.
	threadsPerRun = 4
)

// shareThreads divides the threads among runs of the encoder. A small model has one thread per run. The runs of a large
// one use all threads; two at least are executed at once, since a run leaves its threads idle between operators.
//
// Threads never spin while they wait for work. With 114 M parameters, two threads and 8 clips of 10 s at once, measured
// on a two-core machine under load (medians of three rounds in turns; processor time, which depends little on the load,
// and elapsed time, which depends on it):
//
//	                            one clip: processor, elapsed   8 clips: processor, elapsed
//	one run, spinning threads                0.67 s   2.1 s                5.2 s    12.2 s
//	two runs on two threads                  0.41 s   0.5 s                3.1 s     3.8 s
//	a run a thread                           0.35 s   0.7 s                2.9 s     3.8 s
func (m *SpeechModel) shareThreads(threads int) ort.SessionOptions {
	threads = max(threads, 1)
	if m.Parameters < sharedFrom || threads == 1 {
		m.Runs, m.Parallel = threads, threads
		return ort.SessionOptions{Threads: 1}
	}
	m.Runs, m.Parallel = max(2, threads/threadsPerRun), max(1, threads/threadsPerRun)
	return ort.SessionOptions{Threads: threads}
}
