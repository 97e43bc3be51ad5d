package features

import (
	"fmt"
	"math"

	"munadi/engine/kernel"
)

// Precisions in which a checkpoint holds the window and the mel filters. NeMo saves them with the weights
// and widens them to float32 where it computes (features.py: window.to(torch.float), fb.to(x.dtype)), so that those of
// a checkpoint of half precision stay rounded.
const (
	Float32  = "" // of the window and the filters as computed
	Float16  = "float16"
	BFloat16 = "bfloat16"
)

// roundings round a number to the nearest one of a precision, ties to even.
var roundings = map[string]func(v float64) float64{
	Float32: func(v float64) float64 { return v },
	Float16: func(v float64) float64 {
		if math.Abs(v) < 1.0/(1<<14) { // subnormal: steps of 2^-24
			return math.RoundToEven(float64(float32(v))*(1<<24)) / (1 << 24)
		}
		return dropBits(v, 13)
	},
	BFloat16: func(v float64) float64 { return dropBits(v, 16) },
}

// dropBits rounds a float32 to one without its last n bits.
func dropBits(v float64, n int) float64 {
	bits := math.Float32bits(float32(v))
	bits += 1<<(n-1) - 1 + bits>>n&1
	return float64(math.Float32frombits(bits &^ (1<<n - 1)))
}

func checkPrecision(name string) error {
	if roundings[name] == nil {
		return fmt.Errorf("features: unknown precision %q; want %s or %s", name, Float16, BFloat16)
	}
	return nil
}

// roundFilters rounds the weights of filters in place.
func roundFilters(bank []kernel.WeightedBand, round func(float64) float64) []kernel.WeightedBand {
	for _, band := range bank {
		for i, w := range band.Weights {
			band.Weights[i] = round(w)
		}
	}
	return bank
}
