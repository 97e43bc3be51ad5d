package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"munadi/engine/kernel"
)

func TestActivationsAreAccurate(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		got  func([]float32)
		want func(float64) float64
		lo   float64
	}{
		{"sigmoid", kernel.Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, -87},
		{"tanh", kernel.Tanh, math.Tanh, -100},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := denseValues(c.lo)
			out := append([]float32(nil), in...)
			c.got(out)
			worst := 0.0
			for i, x := range in {
				want := c.want(float64(x))
				worst = max(worst, math.Abs(float64(out[i])-want)/max(math.Abs(want), 1e-45))
			}
			t.Logf("largest relative error %.2g", worst)
			if worst > 2e-7 {
				t.Errorf("largest relative error %g", worst)
			}
		})
	}
}

// denseValues returns values dense around zero and up to 100, of both signs, none below lo.
func denseValues(lo float64) []float32 {
	var s []float32
	for e := -30.0; e <= 6.65; e += 0.0007 {
		if v := math.Exp2(e); v <= 100 {
			s = append(s, float32(v), float32(max(-v, lo)))
		}
	}
	return append(s, 0.625, -0.625, 0)
}

func TestActivationsAtTheEdges(t *testing.T) {
	t.Parallel()
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for n := range 41 {
		sig, tan := make([]float32, n+4), make([]float32, n+4)
		copy(sig, []float32{inf, -inf, nan, 0})
		copy(tan, []float32{inf, -inf, nan, 0})
		kernel.Sigmoid(sig)
		kernel.Tanh(tan)
		if sig[0] != 1 || sig[1] > 1.2e-38 || sig[1] < 0 || sig[2] == sig[2] || sig[3] != 0.5 {
			t.Fatalf("n %d: sigmoid of inf, -inf, NaN, 0 is %v", n+4, sig[:4])
		}
		if tan[0] != 1 || tan[1] != -1 || tan[2] == tan[2] || tan[3] != 0 {
			t.Fatalf("n %d: tanh of inf, -inf, NaN, 0 is %v", n+4, tan[:4])
		}
		for i := 3; i < n+4; i++ {
			if sig[i] != 0.5 || tan[i] != 0 {
				t.Fatalf("n %d: element %d is %v and %v", n+4, i, sig[i], tan[i])
			}
		}
	}
}

func TestReLUAddEveryLength(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 41 {
		a, b := randomValues(rng, n), randomValues(rng, n)
		dst := make([]float32, n)
		kernel.ReLUAdd(dst, a, b)
		for i := range dst {
			if want := max(0, a[i]+b[i]); dst[i] != want {
				t.Fatalf("n %d: element %d is %v, want %v", n, i, dst[i], want)
			}
		}
	}
}

func TestReLUAddKeepsNaN(t *testing.T) {
	t.Parallel()
	a := make([]float32, 9)
	a[2], a[8] = float32(math.NaN()), float32(math.NaN())
	kernel.ReLUAdd(a, a, make([]float32, 9))
	if a[2] == a[2] || a[8] == a[8] {
		t.Errorf("NaN became %v and %v", a[2], a[8])
	}
}

func TestLSTMStep(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	sigmoid := func(x float32) float64 { return 1 / (1 + math.Exp(-float64(x))) }
	for _, n := range []int{0, 1, 7, 8, 13, 160} {
		gates, c, h := randomValues(rng, 4*n), randomValues(rng, n), make([]float32, n)
		wantC, wantH := make([]float64, n), make([]float64, n)
		for j := range n {
			in, out, forget := sigmoid(gates[j]), sigmoid(gates[n+j]), sigmoid(gates[2*n+j])
			wantC[j] = forget*float64(c[j]) + in*math.Tanh(float64(gates[3*n+j]))
			wantH[j] = out * math.Tanh(wantC[j])
		}
		kernel.LSTMStep(gates, c, h)
		for j := range n {
			if math.Abs(float64(c[j])-wantC[j]) > 5e-7 || math.Abs(float64(h[j])-wantH[j]) > 5e-7 {
				t.Fatalf("size %d: cell %d is %v, %v; want %v, %v", n, j, c[j], h[j], wantC[j], wantH[j])
			}
		}
	}
}
