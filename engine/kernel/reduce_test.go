package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"munadi/engine/kernel"
)

func TestLogSumExp(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	for n := 1; n < 300; n++ {
		x, sum := make([]float32, n), 0.0
		for i := range x {
			x[i] = rng.Float32()*40 - 20
			sum += math.Exp(float64(x[i]))
		}
		want := math.Log(sum)
		if got := kernel.LogSumExp(x); math.Abs(got-want) > 5e-7 {
			t.Fatalf("n %d: %v, want %v", n, got, want)
		}
		dst := make([]float32, n)
		kernel.LogSoftmax(dst, x)
		for i := range dst {
			if math.Abs(float64(dst[i])-(float64(x[i])-want)) > 3e-6 {
				t.Fatalf("n %d: log-softmax %d is %v, want %v", n, i, dst[i], float64(x[i])-want)
			}
		}
	}
}

func TestLogSumExpAtTheEdges(t *testing.T) {
	t.Parallel()
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	cases := []struct {
		name string
		fill float32
		x0   float32
		want float64
	}{
		{"all -Inf", -inf, -inf, math.Inf(-1)},
		{"one value", -inf, 3, 3},
		{"far apart", -3e38, 3e38, float64(float32(3e38))},
		{"+Inf", 0, inf, math.Inf(1)},
		{"NaN", 0, nan, math.NaN()},
		{"NaN and -Inf", -inf, nan, math.NaN()},
	}
	for _, c := range cases {
		for n := 2; n < 20; n++ {
			x := make([]float32, n)
			for i := range x {
				x[i] = c.fill
			}
			x[0] = c.x0
			got := kernel.LogSumExp(x)
			if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%s, n %d: %v, want %v", c.name, n, got, c.want)
			}
		}
	}
	if got := kernel.LogSumExp(nil); !math.IsInf(got, -1) {
		t.Errorf("empty: %v, want -Inf", got)
	}
}

func BenchmarkReduce(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := randomValues(rng, 1025), make([]float32, 1025)
	b.Run("logsumexp1025", func(b *testing.B) {
		for b.Loop() {
			kernel.LogSumExp(x)
		}
	})
	b.Run("logsoftmax1025", func(b *testing.B) {
		for b.Loop() {
			kernel.LogSoftmax(y, x)
		}
	})
	b.Run("reluadd1025", func(b *testing.B) {
		for b.Loop() {
			kernel.ReLUAdd(y, x, x)
		}
	})
	b.Run("lstm160", func(b *testing.B) {
		for b.Loop() {
			kernel.LSTMStep(x[:640], y[:160], y[160:320])
		}
	})
}
