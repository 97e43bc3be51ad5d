package features

import (
	"math"

	"munadi/engine/kernel"
)

// melFilters returns n triangular filters evenly spaced on Slaney's mel scale from 0 Hz to half
// the sampling rate, each of the same area (librosa.filters.mel with htk=False, norm="slaney").
func melFilters(n int) []kernel.WeightedBand {
	edges := make([]float64, n+2)
	top := hzToMel(sampleRate / 2)
	for i := range edges {
		edges[i] = melToHz(top * float64(i) / float64(n+1))
	}
	bank := make([]kernel.WeightedBand, n)
	for i := range bank {
		bank[i] = triangleFilter(edges[i], edges[i+1], edges[i+2])
	}
	return bank
}

// FilterMatrix returns the weights of n mel filters, [n, 257], as NeMo's checkpoints hold them.
func FilterMatrix(n int) []float32 {
	out := make([]float32, n*bins)
	for i, band := range melFilters(n) {
		for k, w := range band.Weights {
			out[i*bins+band.First+k] = float32(w)
		}
	}
	return out
}

// triangleFilter returns the filter that rises from lo to mid and falls to hi, in Hz.
func triangleFilter(lo, mid, hi float64) kernel.WeightedBand {
	f := kernel.WeightedBand{}
	for k := range bins {
		hz := float64(k) * sampleRate / fftSize
		w := min((hz-lo)/(mid-lo), (hi-hz)/(hi-mid)) * 2 / (hi - lo)
		if w <= 0 {
			continue
		}
		if f.Weights == nil {
			f.First = k
		}
		f.Weights = append(f.Weights, w)
	}
	return f
}

// Slaney's scale is linear below 1000 Hz and logarithmic above.
const (
	hzPerMel = 200.0 / 3
	kneeHz   = 1000.0
	kneeMel  = kneeHz / hzPerMel
)

var logStep = math.Log(6.4) / 27

func hzToMel(hz float64) float64 {
	if hz < kneeHz {
		return hz / hzPerMel
	}
	return kneeMel + math.Log(hz/kneeHz)/logStep
}

func melToHz(mel float64) float64 {
	if mel < kneeMel {
		return mel * hzPerMel
	}
	return kneeHz * math.Exp((mel-kneeMel)*logStep)
}
