package model

import "munadi/engine/ort"

const (
	// sharedFrom is the number of parameters from which on one run is worth several threads: the operators of a smaller
	// encoder end before a second thread has woken up.
	sharedFrom = 32_000_000
	// threadsPerRun is how many threads one run of a large encoder keeps busy.
	threadsPerRun = 4
)

// shareThreads divides the threads among runs of the encoder. Sixteen clips of 10 s at once on two cores:
//
//	                  a run a thread   two runs on two threads   one run on two spinning threads
//	4.5 M parameters          0.21 s           0.23 s (0.27 s spinning)                 0.27 s
//	114 M                      2.9 s            3.3 s (7.9 s spinning)                   3.2 s
//
// One clip alone takes 23, 21 and 17 ms with the small model, 362, 243 and 195 ms with the large one. So a small model
// has a thread a run; a large one has a run on all threads, which may spin as long as there is one run at a time.
func (m *SpeechModel) shareThreads(threads int) ort.SessionOptions {
	threads = max(threads, 1)
	if m.Parameters < sharedFrom {
		m.Runs = threads
		return ort.SessionOptions{Threads: 1}
	}
	m.Runs = max(1, threads/threadsPerRun)
	return ort.SessionOptions{Threads: threads, Spin: m.Runs == 1}
}
