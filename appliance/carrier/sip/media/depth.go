package media

import "munadi/appliance/carrier"

const (
	look  = 25      // ticks between decisions: half a second
	looks = 16      // that are remembered: 8 s
	leap  = 60 * ms // beyond which the delay is set right at once
)

// jitterDepth finds out how long packets should wait: for the time by which the latest of the last 8 s came behind the mean,
// and a frame more, from 40 to 120 ms. Where the mean wait differs from that by more than a frame it is set right, by a
// frame each half second; that also makes up for clocks that do not go alike. It is set right at once where it differs
// by much, or where packets came too late.
type jitterDepth struct {
	ticks, n, sum, low int // of the packets since the last decision
	latest             [looks]int
	decided            int
}

// noteArrival is told how many samples before its time a packet came; less than 0: after it.
func (d *jitterDepth) noteArrival(ahead int) {
	ahead = max(ahead, -longest)
	if d.n == 0 || ahead < d.low {
		d.low = ahead
	}
	d.sum += ahead
	d.n++
}

// clearWindow forgets the packets since the last decision.
func (d *jitterDepth) clearWindow() { d.ticks, d.n, d.sum, d.low = 0, 0, 0, 0 }

// targetDelay is how many samples a packet should wait.
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

// countTick counts the time, and says by how many samples packets wait too long, less than 0: not long enough, and whether
// that is to be set right at once.
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

// strayCounter counts packets in a row that lie beside the window: too late, or too far ahead.
type strayCounter struct{ packets, ticks int }

// isRestart says whether the other side counts anew: when nothing else came for 200 ms, or at once if it says that it begins
// to speak and nothing is left to be played. A single packet says nothing, nor do many that were held up on their way.
func (a *strayCounter) isRestart(begins bool) bool {
	a.packets++
	return begins || a.packets >= 3 && a.ticks >= 10
}

func (a *strayCounter) countTick() {
	if a.packets > 0 {
		a.ticks++
	}
}
