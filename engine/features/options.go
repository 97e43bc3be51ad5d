package features

import (
	"fmt"
	"math"

	"munadi/engine/kernel"
)

// Ways to normalize, by NeMo's names.
const (
	PerFeature  = "per_feature"  // each filter's row to mean 0 and deviation 1
	AllFeatures = "all_features" // all rows together
	Fixed       = "fixed"        // by given means and deviations
	None        = "none"         // no normalization
)

// ExtractorOptions are the options of a MelExtractor, under the names of NeMo's AudioToMelSpectrogramPreprocessor.
// Frames are 512 samples long and 160 apart whatever the options are.
type ExtractorOptions struct {
	Window    string  // hann, hamming, blackman, bartlett, ones or none: symmetric
	Length    int     // of the window in samples, 2 to 512
	Emphasis  float64 // pre-emphasis: y[n] = x[n] - Emphasis·x[n-1]
	Normalize string
	Mean, Std []float32 // a number for each filter if Normalize is Fixed
	Precision string    // in which the checkpoint holds the window and the filters; empty: float32
}

// DefaultOptions returns the options of NeMo's FastConformers.
func DefaultOptions() ExtractorOptions {
	return ExtractorOptions{Window: "hann", Length: 400, Emphasis: 0.97, Normalize: PerFeature}
}

func (o ExtractorOptions) checkBounds(mels int) error {
	if windows[o.Window] == nil {
		return fmt.Errorf("features: unknown window %q; want hann, hamming, blackman, bartlett or ones", o.Window)
	}
	if o.Length < 2 || o.Length > fftSize {
		return fmt.Errorf("features: a window of %d samples, want 2 to %d", o.Length, fftSize)
	}
	if !(o.Emphasis >= 0 && o.Emphasis <= 1) {
		return fmt.Errorf("features: pre-emphasis %g, want 0 to 1", o.Emphasis)
	}
	if err := checkPrecision(o.Precision); err != nil {
		return err
	}
	switch o.Normalize {
	case PerFeature, AllFeatures, None:
		return nil
	case Fixed:
		if len(o.Mean) == mels && len(o.Std) == mels {
			return nil
		}
		return fmt.Errorf("features: %d means and %d deviations for %d filters", len(o.Mean), len(o.Std), mels)
	}
	return fmt.Errorf("features: unknown normalize %q; want per_feature, all_features, fixed or none", o.Normalize)
}

// windows are the symmetric windows at x from 0 to 1.
var windows = map[string]func(x float64) float64{
	"hann":     func(x float64) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*x) },
	"hamming":  func(x float64) float64 { return 0.54 - 0.46*math.Cos(2*math.Pi*x) },
	"blackman": func(x float64) float64 { return 0.42 - 0.5*math.Cos(2*math.Pi*x) + 0.08*math.Cos(4*math.Pi*x) },
	"bartlett": func(x float64) float64 { return 1 - math.Abs(2*x-1) },
	"ones":     func(float64) float64 { return 1 },
	"none":     func(float64) float64 { return 1 },
}

// halvedWindow returns the window, halved, with zeros after it up to a multiple of 4 (kernel.WindowFrames).
func (o ExtractorOptions) halvedWindow() []float64 {
	w := make([]float64, (o.Length+3)&^3)
	for n := range o.Length {
		w[n] = roundings[o.Precision](windows[o.Window](float64(n)/float64(o.Length-1))) / 2
	}
	return w
}

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
