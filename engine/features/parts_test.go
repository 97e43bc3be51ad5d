package features

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

func TestPowerIsTheTransforms(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	var a, b planes
	x := make([]float64, fftSize)
	for n := range half {
		a.re[n], a.im[n] = rng.Float64()-0.5, rng.Float64()-0.5
		x[2*n], x[2*n+1] = a.re[n], a.im[n]
	}
	var got [bins]float64
	newFFT().power(&got, &a, &b)
	for k := range got {
		var sum complex128
		for n, v := range x {
			sum += complex(v, 0) * cmplx.Rect(1, -2*math.Pi*float64(k*n%fftSize)/fftSize)
		}
		want := real(sum)*real(sum) + imag(sum)*imag(sum)
		if math.Abs(got[k]-want) > 1e-11*(1+want) {
			t.Errorf("bin %d: %v, want %v", k, got[k], want)
		}
	}
}

// TestFiltersAreLibrosas builds librosa.filters.mel(sr=16000, n_fft=512, n_mels=n) step by step
// in float64: ramps to all bins, the lower of the two slopes, cut at zero, scaled to equal area.
func TestFiltersAreLibrosas(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 40, 64, 80, 128} {
		edges := make([]float64, n+2)
		for i := range edges {
			edges[i] = referenceHz(referenceMel(8000) * float64(i) / float64(n+1))
		}
		for m, f := range melFilters(n) {
			row := make([]float64, bins)
			copy(row[f.First:], f.Weights)
			for k := range row {
				hz := 8000 * float64(k) / 256
				lower := -(edges[m] - hz) / (edges[m+1] - edges[m])
				upper := (edges[m+2] - hz) / (edges[m+2] - edges[m+1])
				want := max(0, min(lower, upper)) * 2 / (edges[m+2] - edges[m])
				if math.Abs(row[k]-want) > 5e-7*max(want, 1e-2) {
					t.Fatalf("%d filters, filter %d, bin %d: %v, want %v", n, m, k, row[k], want)
				}
			}
		}
	}
}

func referenceMel(hz float64) float64 {
	if hz >= 1000 {
		return 15 + math.Log(hz/1000)*27/math.Log(6.4)
	}
	return hz * 3 / 200
}

func referenceHz(mel float64) float64 {
	if mel >= 15 {
		return 1000 * math.Pow(6.4, (mel-15)/27)
	}
	return mel * 200 / 3
}

func TestLn(t *testing.T) {
	t.Parallel()
	for e := -24.0; e < 40; e += 0.00037 {
		x := float32(math.Exp2(e))
		want := math.Log(float64(x))
		if got := float64(ln(x)); math.Abs(got-want) > 1.5e-7*max(1, math.Abs(want)) {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	}
}
