package kernel

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPowerIsTheTransforms compares all four signals with the definition.
func TestPowerIsTheTransforms(t *testing.T) {
	t.Parallel()
	x := randomPoints(rand.New(rand.NewPCG(1, 1)))
	signal := func(l, n int) float64 {
		if n%2 == 0 {
			return x[n/2].Re[l]
		}
		return x[n/2].Im[l]
	}
	var want [bins]Quad
	for k := range want {
		for l := range 4 {
			var sum complex128
			for n := range samples {
				sum += complex(signal(l, n), 0) * cmplx.Rect(1, -2*math.Pi*float64(k*n%samples)/samples)
			}
			want[k][l] = 4 * (real(sum)*real(sum) + imag(sum)*imag(sum))
		}
	}
	var got [bins]Quad
	NewFFT512().PowerSpectrum(&got, x)
	for k := range got {
		for l := range 4 {
			if math.Abs(got[k][l]-want[k][l]) > 1e-11*(1+want[k][l]) {
				t.Errorf("signal %d, bin %d: %v, want %v", l, k, got[k][l], want[k][l])
			}
		}
	}
}

func TestSlope(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 4))
	for n := range 20 {
		x, got := noiseValues(rng, n+1), make([]float64, n)
		PreEmphasize4(got, x, 0.97)
		for i, v := range got {
			if want := float64(x[i+1]) - 0.97*float64(x[i]); math.Abs(v-want) > 1e-15 {
				t.Errorf("%d of %d: %v, want %v", i, n, v, want)
			}
		}
	}
}

func TestDeal(t *testing.T) {
	t.Parallel()
	const hop = 3
	x, w := make([]float64, 3*hop+8), make([]float64, 8)
	for i := range x {
		x[i] = float64(i + 1)
	}
	for i := range w {
		w[i] = float64(100 + i)
	}
	dst := randomPoints(rand.New(rand.NewPCG(1, 2)))[:6]
	WindowFrames(dst, x, w, hop)
	for n, p := range dst {
		for l := range 4 {
			var re, im float64
			if 2*n < len(w) {
				re, im = x[l*hop+2*n]*w[2*n], x[l*hop+2*n+1]*w[2*n+1]
			}
			if p.Re[l] != re || p.Im[l] != im {
				t.Errorf("point %d, signal %d: (%v, %v), want (%v, %v)", n, l, p.Re[l], p.Im[l], re, im)
			}
		}
	}
}

func TestBands(t *testing.T) {
	t.Parallel()
	x := []Quad{{1, 2, 3, 4}, {10, 20, 30, 40}, {100, 200, 300, 400}}
	bands := []WeightedBand{
		{First: 0, Weights: []float64{1, 2}},
		{},
		{First: 2, Weights: []float64{3}},
		{First: 0, Weights: []float64{1, 1, 1}},
	}
	got := make([]float32, 4*len(bands))
	SumBands(got, x, bands, 0.5)
	want := []float32{
		21.5, 42.5, 63.5, 84.5,
		0.5, 0.5, 0.5, 0.5,
		300.5, 600.5, 900.5, 1200.5,
		111.5, 222.5, 333.5, 444.5,
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("value %d: %v, want %v", i, got[i], want[i])
		}
	}
	SumBands(nil, nil, nil, 0)
}

func TestLog(t *testing.T) {
	t.Parallel()
	var x, y []float32
	for e := -24.0; e < 40; e += 0.00037 {
		x = append(x, float32(math.Exp2(e)))
	}
	y = append(y, x...)
	Log(y)
	for i, got := range y {
		want := math.Log(float64(x[i]))
		if math.Abs(float64(got)-want) > 1.5e-7*max(1, math.Abs(want)) {
			t.Fatalf("log of %v: %v, want %v", x[i], got, want)
		}
	}
	for _, v := range []float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN()} {
		z := []float32{float32(v), 1, 1, 1, 1, 1, 1, 1, float32(v)}
		Log(z)
		for i, got := range z {
			if math.IsNaN(float64(got)) || math.IsInf(float64(got), 0) {
				t.Errorf("log of %v, at %d: %v", v, i, got)
			}
		}
	}
}

// TestSpectrumIsTheSameEverywhere checks that the portable routines and those selected on this machine give the same
// bits.
func TestSpectrumIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 3))
	f := NewFFT512()
	a := randomPoints(rng)
	b := new([points]Complex4)
	*b = *a
	var p, q [bins]Quad
	for span := quarter; span > 1; span /= 4 {
		f.runStage(a, span)
		f.stageGo(b, span)
	}
	lastStage(a)
	lastStageGo(b)
	f.powerSpectrum(&p, a)
	f.powerGo(&q, b)
	if *a != *b || p != q {
		t.Error("transforms differ")
	}

	band := WeightedBand{First: 7, Weights: make([]float64, 200)}
	x := make([]float64, 3*160+400)
	for i := range band.Weights {
		band.Weights[i] = rng.Float64()
	}
	float := noiseValues(rng, len(x)+1)
	preEmphasize4Go(x, float, 0.97)
	y := make([]float64, len(x))
	PreEmphasize4(y, float, 0.97)
	if !slices.Equal(x, y) {
		t.Error("slopes differ")
	}
	WindowFrames(a[:], x, x[80:480], 160)
	clear(b[:])
	windowFramesGo(b[:200], x, x[80:480], 160)
	if *a != *b {
		t.Error("deals differ")
	}
	bands := []WeightedBand{band, {First: 256, Weights: band.Weights[:1]}, {}}
	c, d := make([]float32, 12), make([]float32, 12)
	SumBands(c, p[:], bands, 1e-9)
	sumBandsGo(d, p[:], bands, 1e-9)
	Log(c)
	logGo(d)
	for i := range c {
		if c[i] != d[i] {
			t.Errorf("band %d, signal %d: %v, portable %v", i/4, i%4, c[i], d[i])
		}
	}
}

func randomPoints(rng *rand.Rand) *[points]Complex4 {
	x := new([points]Complex4)
	for i := range x {
		for l := range 4 {
			x[i].Re[l], x[i].Im[l] = rng.Float64()-0.5, rng.Float64()-0.5
		}
	}
	return x
}
