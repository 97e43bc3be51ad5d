package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPortableAgrees compares the portable routines with those selected on this machine, so that a machine with
// assembly checks both.
func TestPortableAgrees(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 9))
	for n := range 60 {
		rows, cols := n, 3*n%41
		m, x, bias := noiseValues(rng, rows*cols), noiseValues(rng, 3*cols), noiseValues(rng, rows)
		a, b := make([]float32, 3*rows), make([]float32, 3*rows)
		MatVecBatch(a, m, x, bias, 3, rows, cols)
		matVecBatchGo(b, m, x, bias, 3, cols)
		isNear(t, "MatVecBatch", n, a, b)
		MatVec(a[:rows], m, x, nil, rows, cols)
		matVecGo(b[:rows], m, x[:cols], nil, cols)
		isNear(t, "MatVec", n, a, b)
		var x4, y4 [4][]float32
		for k := range x4 {
			x4[k], y4[k] = noiseValues(rng, n+k)[k:], noiseValues(rng, n+k)[k:]
		}
		var got, portable [4]float32
		DotProducts4(&got, &x4, &y4)
		dotProducts4Go(&portable, &x4, &y4, n)
		if got != portable {
			t.Errorf("n %d: the products of a filter are %v, portable %v", n, got, portable)
		}
		copy(b, a)
		Sigmoid(a)
		sigmoidGo(b)
		isNear(t, "Sigmoid", n, a, b)
		Tanh(a)
		tanhGo(b)
		isNear(t, "Tanh", n, a, b)
		copy(b, a)
		if got, want := maximumGo(b), maxFloat(a); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("n %d: maximum %v, portable %v", n, want, got)
		}
		if n > 0 && math.Abs(sumExp(a, 1)-sumExpGo(b, 1)) > 1e-5*float64(n) {
			t.Errorf("n %d: sums of exp differ", n)
		}
	}
}

func noiseValues(rng *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = rng.Float32()*2 - 1
	}
	return s
}

func isNear(t *testing.T, name string, n int, a, b []float32) {
	t.Helper()
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-5 {
			t.Fatalf("%s, n %d: element %d is %v, portable %v", name, n, i, a[i], b[i])
		}
	}
}
