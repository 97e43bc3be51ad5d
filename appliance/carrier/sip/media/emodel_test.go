package media

import (
	"math"
	"testing"
	"time"
)

// TestEstimateMOS checks the E-model against values of ITU-T G.107 and G.113: R 93.2 is MOS 4.41; G.711 with
// concealment at 1 %, 5 % and 20 % random loss has Ie,eff 3.6, 15.8 and 42.1; Idd is 0 at 100 ms, about 3 at
// 200 ms and 24 at 400 ms.
func TestEstimateMOS(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		loss  float64
		delay time.Duration
		want  float64
	}{
		{0, 0, 4.41}, {0, 100 * time.Millisecond, 4.41}, {0.01, 0, 4.33}, {0.05, 0, 3.94}, {0.2, 0, 2.64}, {1, 0, 1.18}, {1, time.Hour, 1},
	} {
		if got := estimateMOS(c.loss, c.delay); math.Abs(got-c.want) > 0.02 {
			t.Errorf("%v of loss, %v: %.3f, want %.2f", c.loss, c.delay, got, c.want)
		}
	}
	for delay, want := range map[time.Duration]float64{100 * time.Millisecond: 0, 200 * time.Millisecond: 3, 400 * time.Millisecond: 24} {
		if got := delayImpairment(delay); math.Abs(got-want) > 0.1 {
			t.Errorf("Idd at %v is %.2f, want about %.0f", delay, got, want)
		}
	}
	last := 5.0
	for ms := 0; ms < 2000; ms += 10 {
		got := estimateMOS(0.02, time.Duration(ms)*time.Millisecond)
		if got > last || got < 1 {
			t.Fatalf("MOS rises to %.3f at %d ms", got, ms)
		}
		last = got
	}
}
