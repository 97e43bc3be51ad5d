package features

import (
	"math"
	"testing"
)

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
