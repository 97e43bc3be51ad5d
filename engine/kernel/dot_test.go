package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"munadi/engine/kernel"
)

// TestDotProducts4 checks each length against float64, and that a product does not depend on the other three.
func TestDotProducts4(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 200 {
		var a, b [4][]float32
		for k := range a {
			a[k], b[k] = randomValues(rng, n+k), randomValues(rng, n+3-k) // longer ones are cut
		}
		a[0] = a[0][:n]
		var got [4]float32
		kernel.DotProducts4(&got, &a, &b)
		for k := range a {
			want, scale := referenceProduct(a[k][:n], b[k], 0)
			if math.Abs(float64(got[k])-want) > 1e-6*scale {
				t.Errorf("n %d: product %d is %v, want %v", n, k, got[k], want)
			}
			alone := [4]float32{}
			x, y := a[k][:n], b[k][:n]
			kernel.DotProducts4(&alone, &[4][]float32{x, x, x, x}, &[4][]float32{y, y, y, y})
			if alone != [4]float32{got[k], got[k], got[k], got[k]} {
				t.Errorf("n %d: product %d is %v beside others, %v alone", n, k, got[k], alone)
			}
		}
	}
}

func BenchmarkDotProducts4(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 9))
	x, y := randomValues(rng, 64), randomValues(rng, 64)
	rows, windows := [4][]float32{x, x, x, x}, [4][]float32{y, y, y, y}
	var dst [4]float32
	for b.Loop() {
		kernel.DotProducts4(&dst, &rows, &windows)
	}
}
