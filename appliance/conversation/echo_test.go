package conversation

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestEchoIsFoundAtEveryDelay checks that the correlation, whose sums are taken four delays at a time, decides as the
// sums of each delay alone do.
func TestEchoIsFoundAtEveryDelay(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(35, 2))
	found, tried := 0, 0
	for range 60 {
		var e echoDetector
		delay, gain, noise := r.IntN(4500), r.Float64()/2, r.Float64()*300
		var sent []int16
		for range 1 + r.IntN(40) {
			in, out := make([]int16, 160), make([]int16, 160)
			for i := range out {
				out[i] = int16(r.NormFloat64() * 6000 * float64(r.IntN(2)))
			}
			sent = append(sent, out...)
			for i := range in {
				v := r.NormFloat64() * noise
				if at := len(sent) - len(in) + i - delay; at >= 0 {
					v += gain * float64(sent[at])
				}
				in[i] = int16(v)
			}
			e.pushFrame(in, out, false)
			want := isEchoAtAnyDelay(e.in, e.out)
			if got := e.correlate(); got != want {
				t.Fatalf("an echo after %d samples: found %t, want %t", delay, got, want)
			}
			if tried++; want {
				found++
			}
		}
	}
	if found == 0 || found == tried {
		t.Errorf("%d of %d are echoes: the sound decides nothing", found, tried)
	}
}

// isEchoAtAnyDelay is the definition of correlate.
func isEchoAtAnyDelay(in, out []float64) bool {
	for from := 0; from+len(in) <= len(out); from++ {
		dot, sent, energy := 0.0, 0.0, 0.0
		for i, v := range out[from : from+len(in)] {
			dot, sent, energy = dot+v*in[i], sent+v*v, energy+in[i]*in[i]
		}
		if energy > 0 && energy < echoLoss*echoLoss*sent && math.Abs(dot) > echoLikeness*math.Sqrt(energy*sent) {
			return true
		}
	}
	return false
}
