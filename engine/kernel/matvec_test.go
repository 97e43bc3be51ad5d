package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"munadi/engine/kernel"
)

// randomValues returns n unaligned values in [-1,1).
func randomValues(rng *rand.Rand, n int) []float32 {
	s := make([]float32, n+1)[1:]
	for i := range s {
		s[i] = rng.Float32()*2 - 1
	}
	return s
}

// referenceProduct returns the float64 reference; scale is the sum of magnitudes, to which rounding is relative.
func referenceProduct(row, x []float32, bias float32) (sum, scale float64) {
	sum, scale = float64(bias), math.Abs(float64(bias))
	for i := range row {
		p := float64(row[i]) * float64(x[i])
		sum += p
		scale += math.Abs(p)
	}
	return sum, scale
}

func checkProduct(t *testing.T, dst, m, x, bias []float32, rows, cols int) {
	t.Helper()
	for r := range rows {
		var b float32
		if bias != nil {
			b = bias[r]
		}
		want, scale := referenceProduct(m[r*cols:(r+1)*cols], x, b)
		if diff := math.Abs(float64(dst[r]) - want); diff > 1e-6*scale+1e-12 {
			t.Fatalf("rows %d cols %d: row %d is %v, want %v", rows, cols, r, dst[r], want)
		}
	}
}

func TestMatVecEverySize(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for rows := range 41 {
		for cols := range 41 {
			m, x, bias := randomValues(rng, rows*cols), randomValues(rng, cols), randomValues(rng, rows)
			dst := randomValues(rng, rows)
			kernel.MatVec(dst, m, x, bias, rows, cols)
			checkProduct(t, dst, m, x, bias, rows, cols)
			kernel.MatVec(dst, m, x, nil, rows, cols)
			checkProduct(t, dst, m, x, nil, rows, cols)
		}
	}
}

func TestMatVecLeavesNeighboursAlone(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for rows := range 40 {
		buf := randomValues(rng, rows+16)
		before := append([]float32(nil), buf...)
		m, x := randomValues(rng, rows*13), randomValues(rng, 13)
		kernel.MatVec(buf[8:8+rows], m, x, nil, rows, 13)
		for i := range buf {
			if (i < 8 || i >= 8+rows) && buf[i] != before[i] {
				t.Fatalf("rows %d: element %d outside the result was written", rows, i-8)
			}
		}
	}
}

func TestMatVecBatchGivesTheSameBits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	sizes := [][2]int{{1, 1}, {7, 9}, {8, 8}, {9, 7}, {23, 31}, {257, 160}, {1025, 40}}
	for _, size := range sizes {
		rows, cols := size[0], size[1]
		for n := range 17 {
			m, x, bias := randomValues(rng, rows*cols), randomValues(rng, n*cols), randomValues(rng, rows)
			got, want := make([]float32, n*rows), make([]float32, rows)
			kernel.MatVecBatch(got, m, x, bias, n, rows, cols)
			for v := range n {
				kernel.MatVec(want, m, x[v*cols:], bias, rows, cols)
				for r := range rows {
					if got[v*rows+r] != want[r] {
						t.Fatalf("%dx%d, vector %d of %d, row %d: %v, alone %v",
							rows, cols, v, n, r, got[v*rows+r], want[r])
					}
				}
			}
		}
	}
}

func FuzzMatVecBatch(f *testing.F) {
	f.Add(uint8(3), uint16(257), uint16(160), uint64(1))
	f.Add(uint8(16), uint16(9), uint16(1), uint64(2))
	f.Add(uint8(1), uint16(0), uint16(7), uint64(3))
	f.Fuzz(func(t *testing.T, n8 uint8, r16, c16 uint16, seed uint64) {
		n, rows, cols := int(n8%17), int(r16%300), int(c16%300)
		rng := rand.New(rand.NewPCG(seed, 0))
		m, x, bias := randomValues(rng, rows*cols), randomValues(rng, n*cols), randomValues(rng, rows)
		dst := make([]float32, n*rows)
		kernel.MatVecBatch(dst, m, x, bias, n, rows, cols)
		for v := range n {
			checkProduct(t, dst[v*rows:], m, x[v*cols:(v+1)*cols], bias, rows, cols)
		}
	})
}

var shapes = [][2]int{{257, 160}, {640, 160}, {1025, 640}, {2560, 640}}

func BenchmarkMatVec(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, s := range shapes {
		m, x, dst := randomValues(rng, s[0]*s[1]), randomValues(rng, s[1]), make([]float32, s[0])
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			for b.Loop() {
				kernel.MatVec(dst, m, x, nil, s[0], s[1])
			}
		})
	}
}

func BenchmarkMatVecBatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, s := range shapes {
		for _, n := range []int{4, 16} {
			m, x, dst := randomValues(rng, s[0]*s[1]), randomValues(rng, n*s[1]), make([]float32, n*s[0])
			b.Run(fmt.Sprintf("%dx%dx%d", n, s[0], s[1]), func(b *testing.B) {
				for b.Loop() {
					kernel.MatVecBatch(dst, m, x, nil, n, s[0], s[1])
				}
			})
		}
	}
}
