package media

import (
	"math"
	"time"
)

// The E-model's default values (ITU-T G.107 table 3), and the packet-loss robustness of G.711 with concealment
// (ITU-T G.113 appendix I).
const (
	defaultRating  = 93.2 // R without delay and loss
	lossRobustness = 25.1 // Bpl
	worstCodec     = 95.0 // the equipment impairment that total loss approaches
)

// estimateMOS estimates the mean opinion score of one direction by the E-model (ITU-T G.107): loss is the share of
// packets that are not played, delay the one from mouth to ear. Losses count as random, echo as cancelled. G.722 and
// Opus are rated as G.711: what the network does to a call, not how wide its band is.
func estimateMOS(loss float64, delay time.Duration) float64 {
	percent := 100 * loss
	rating := defaultRating - delayImpairment(delay) - worstCodec*percent/(percent+lossRobustness)
	switch {
	case rating <= 0:
		return 1
	case rating >= 100:
		return 4.5
	}
	return max(1, 1+0.035*rating+rating*(rating-60)*(100-rating)*7e-6)
}

// delayImpairment is Idd of G.107 §7.4: the impairment by too long an absolute delay.
func delayImpairment(delay time.Duration) float64 {
	const free = 100 * time.Millisecond
	if delay <= free {
		return 0
	}
	x := math.Log2(float64(delay) / float64(free))
	return 25 * (math.Pow(1+math.Pow(x, 6), 1.0/6) - 3*math.Pow(1+math.Pow(x/3, 6), 1.0/6) + 2)
}
