package features_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"munadi/engine/features"
)

// TestOptionsChangeTheFeatures compares with the transform written out in float64, frame by frame.
func TestOptionsChangeTheFeatures(t *testing.T) {
	t.Parallel()
	x := noiseSamples(rand.New(rand.NewPCG(11, 12)), 1600)
	for _, o := range []features.ExtractorOptions{
		{Window: "hann", Length: 400, Emphasis: 0.97, Normalize: features.None},
		{Window: "hamming", Length: 320, Emphasis: 0, Normalize: features.None},
		{Window: "blackman", Length: 401, Emphasis: 0.5, Normalize: features.None},
		{Window: "bartlett", Length: 511, Emphasis: 0.97, Normalize: features.None},
		{Window: "ones", Length: 512, Emphasis: 0.97, Normalize: features.None},
		{Window: "hann", Length: 400, Emphasis: 0.97, Normalize: features.None, Precision: features.Float16},
		{Window: "hann", Length: 400, Emphasis: 0.97, Normalize: features.None, Precision: features.BFloat16},
	} {
		e, err := features.NewExtractor(1, o)
		if err != nil {
			t.Fatal(err)
		}
		got, valid := e.ExtractMel(nil, x)
		for at := range valid {
			if want := directMelFilter(x, at, o); math.Abs(float64(got[at])-want) > 1e-4 {
				t.Fatalf("%+v: frame %d is %v, want %v", o, at, got[at], want)
			}
		}
	}
}

// directMelFilter returns the one mel filter over frame t, by the definition of the transform.
func directMelFilter(x []float32, t int, o features.ExtractorOptions) float64 {
	top := 15 + math.Log(8000.0/1000)*27/math.Log(6.4)
	middle := 1000 * math.Pow(6.4, (top/2-15)/27) // of 0 and 8000 Hz on Slaney's scale
	var sum float64
	for k := range 257 {
		hz := 16000 * float64(k) / 512
		weight := max(0, min(hz/middle, (8000-hz)/(8000-middle))) * 2 / 8000
		var re, im float64
		for n := range o.Length {
			at := t*160 - 256 + (512-o.Length)/2 + n
			if at < 0 || at >= len(x) {
				continue
			}
			v := float64(x[at])
			if at > 0 {
				v -= o.Emphasis * float64(x[at-1])
			}
			v *= halfNumber(o.Precision, hannWindow(o.Window, float64(n)/float64(o.Length-1)))
			angle := 2 * math.Pi * float64(k) * float64(n) / 512
			re, im = re+v*math.Cos(angle), im-v*math.Sin(angle)
		}
		sum += halfNumber(o.Precision, weight) * (re*re + im*im)
	}
	return math.Log(sum + 1.0/(1<<24))
}

// halfNumber returns the number of a precision that is nearest to v, by its definition: 11 or 8 significant bits, the
// smallest number above 0 being 2^-24 with the former.
func halfNumber(precision string, v float64) float64 {
	bits := map[string]int{features.Float16: 11, features.BFloat16: 8}[precision]
	if bits == 0 || v == 0 {
		return v
	}
	_, exponent := math.Frexp(v)
	step := math.Ldexp(1, exponent-bits)
	if precision == features.Float16 {
		step = max(step, math.Ldexp(1, -24))
	}
	return math.RoundToEven(v/step) * step
}

// TestPrecisions compares with numbers as torch converts them: tensor.to(torch.float16), tensor.to(torch.bfloat16).
func TestPrecisions(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64][2]float64{
		0.1: {0.0999755859375, 0.10009765625}, 1.0 / 3: {0.333251953125, 0.333984375}, 1: {1, 1}, 0: {0, 0},
		1e-5: {168.0 / (1 << 24), 1.0013580322265625e-05}, 1e-8: {0, 1.0011717677116394e-08}, 0.99999: {1, 1},
	} {
		for i, precision := range []string{features.Float16, features.BFloat16} {
			if got := features.RoundNumber(precision, v); got != want[i] {
				t.Errorf("%v in %s is %v, want %v", v, precision, got, want[i])
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		v := float64(float32(math.Exp(-20 * r.Float64())))
		for _, precision := range []string{features.Float16, features.BFloat16} {
			if got, want := features.RoundNumber(precision, v), halfNumber(precision, v); got != want {
				t.Fatalf("%v in %s is %v, want %v", v, precision, got, want)
			}
		}
	}
}

func hannWindow(name string, x float64) float64 {
	switch name {
	case "hann":
		return math.Pow(math.Sin(math.Pi*x), 2)
	case "hamming":
		return 0.08 + 0.92*math.Pow(math.Sin(math.Pi*x), 2)
	case "blackman":
		return 0.42 - 0.5*math.Cos(2*math.Pi*x) + 0.08*math.Cos(4*math.Pi*x)
	case "bartlett":
		return 2 * min(x, 1-x)
	}
	return 1
}

func TestNormalizations(t *testing.T) {
	t.Parallel()
	x := noiseSamples(rand.New(rand.NewPCG(13, 14)), 8000)
	o := features.DefaultOptions()
	extract := func(normalize string) ([]float32, int) {
		o.Normalize, o.Mean, o.Std = normalize, []float32{1, 2, 3}, []float32{2, 3, 4}
		e, err := features.NewExtractor(3, o)
		if err != nil {
			t.Fatal(err)
		}
		return e.ExtractMel(nil, x)
	}
	plain, valid := extract(features.None)
	fixed, _ := extract(features.Fixed)
	together, _ := extract(features.AllFeatures)
	var sum, squares float64
	for f := range 3 {
		for i := range valid {
			at := f*(valid+1) + i
			if want := (plain[at] - float32(f+1)) / float32(f+2); math.Abs(float64(fixed[at]-want)) > 1e-5 {
				t.Fatalf("fixed: row %d, frame %d is %v, want %v", f, i, fixed[at], want)
			}
			sum, squares = sum+float64(together[at]), squares+math.Pow(float64(together[at]), 2)
		}
		if plain[f*(valid+1)+valid] != 0 || together[f*(valid+1)+valid] != 0 {
			t.Error("the last frame is not zero")
		}
	}
	if n := float64(3 * valid); math.Abs(sum/n) > 1e-4 || math.Abs(squares/(n-1)-1) > 1e-3 {
		t.Errorf("all features: mean %g, variance %g", sum/n, squares/(n-1))
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*features.ExtractorOptions){
		"window":    func(o *features.ExtractorOptions) { o.Window = "kaiser" },
		"length":    func(o *features.ExtractorOptions) { o.Length = 513 },
		"no length": func(o *features.ExtractorOptions) { o.Length = 0 },
		"emphasis":  func(o *features.ExtractorOptions) { o.Emphasis = math.NaN() },
		"normalize": func(o *features.ExtractorOptions) { o.Normalize = "sometimes" },
		"precision": func(o *features.ExtractorOptions) { o.Precision = "float8" },
		"means":     func(o *features.ExtractorOptions) { o.Normalize = features.Fixed },
	} {
		o := features.DefaultOptions()
		change(&o)
		if _, err := features.NewExtractor(80, o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
