package model

import "munadi/engine/ort"

const (
	// sharedFrom is the number of parameters from which one run uses several threads: the operators of a smaller encoder
	// finish before a second thread wakes up.
	sharedFrom = 32_000_000
	// threadsPerRun is the number of threads that one run of a large encoder can use.
	threadsPerRun = 4
)

// shareThreads divides the threads among runs of the encoder. Times for sixteen concurrent clips of 10 s on two cores:
//
//	                  a run a thread   two runs on two threads   one run on two spinning threads
//	4.5 M parameters          0.21 s           0.23 s (0.27 s spinning)                 0.27 s
//	114 M                      2.9 s            3.3 s (7.9 s spinning)                   3.2 s
//
// One clip alone takes 23, 21 and 17 ms with the small model, 362, 243 and 195 ms with the large one. So a
// small model has one thread per run; a large one runs on all threads, which spin only if there is one run at a time.
func (m *SpeechModel) shareThreads(threads int) ort.SessionOptions {
	threads = max(threads, 1)
	if m.Parameters < sharedFrom {
		m.Runs = threads
		return ort.SessionOptions{Threads: 1}
	}
	m.Runs = max(1, threads/threadsPerRun)
	return ort.SessionOptions{Threads: threads, Spin: m.Runs == 1}
}
