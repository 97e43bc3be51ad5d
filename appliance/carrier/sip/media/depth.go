package media

import "munadi/appliance/carrier"

const (
	look  = 25      // ticks between decisions: half a second
	looks = 16      // decisions remembered: 8 s
	leap  = 60 * ms // beyond which the delay is corrected at once
)

// jitterDepth is the adaptive target delay of the jitter buffer: the lateness of the latest packet of the last 8 s
// relative to the mean, plus one frame, from 40 to 120 ms. If the mean delay differs from it by more than a frame it is
// corrected by a frame every half second, which also compensates clock drift; it is corrected at once if it differs by
// much, or if packets came too late.
type jitterDepth struct {
	ticks, n, sum, low int // of the packets since the last decision
	latest             [looks]int
	decided            int
}

// noteArrival records how many samples before its playout time a packet arrived; negative: after it.
func (d *jitterDepth) noteArrival(ahead int) {
	ahead = max(ahead, -longest)
	if d.n == 0 || ahead < d.low {
		d.low = ahead
	}
	d.sum += ahead
	d.n++
}

// clearWindow discards the packets since the last decision.
func (d *jitterDepth) clearWindow() { d.ticks, d.n, d.sum, d.low = 0, 0, 0, 0 }

// targetDelay returns the target delay in samples.
func (d *jitterDepth) targetDelay() int {
	if d.decided == 0 {
		return beginning
	}
	most := 0
	for _, l := range d.latest {
		most = max(most, l)
	}
	return min(max(most+carrier.Samples, shortest), longest)
}

// countTick counts a tick, and returns the excess delay in samples (negative: too short), and whether to correct it at
// once.
func (d *jitterDepth) countTick() (excess int, now bool) {
	if d.ticks++; d.ticks < look || d.n == 0 {
		return 0, false
	}
	mean, late := d.sum/d.n, d.low < 0
	d.latest[d.decided%looks] = mean - d.low
	d.decided++
	d.clearWindow()
	excess = mean - d.targetDelay()
	return excess, excess > leap || excess < -leap || late && excess < -carrier.Samples
}

// strayCounter counts consecutive packets outside the window: too late, or too far ahead.
type strayCounter struct{ packets, ticks int }

// isRestart reports whether the remote side restarted its time stamps: when nothing else arrived for 200 ms, or at once
// if the marker bit is set and nothing is buffered. Single packets and delayed bursts do not count.
func (a *strayCounter) isRestart(begins bool) bool {
	a.packets++
	return begins || a.packets >= 3 && a.ticks >= 10
}

func (a *strayCounter) countTick() {
	if a.packets > 0 {
		a.ticks++
	}
}
