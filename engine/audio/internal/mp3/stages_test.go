package mp3

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSynthesisIsTheStandards compares with ISO 11172-3 figure A.2, written out literally.
func TestSynthesisIsTheStandards(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	fast, window := newSynthesis(), synthesisWindow()
	var v [1024]float64
	for range 40 {
		var in [subbands]float32
		for k := range in {
			in[k] = rng.Float32() - 0.5
		}
		copy(v[64:], append([]float64(nil), v[:960]...))
		for i := range 64 {
			v[i] = 0
			for k := range 32 {
				v[i] += math.Cos(float64((16+i)*(2*k+1))*math.Pi/64) * float64(in[k])
			}
		}
		var u [512]float64
		for i := range 8 {
			for j := range 32 {
				u[64*i+j], u[64*i+32+j] = v[128*i+j], v[128*i+96+j]
			}
		}
		got := make([]float32, 32)
		fast.synthesizeSlot(&in, got)
		for j := range 32 {
			want := 0.0
			for i := range 16 {
				want += u[j+32*i] * float64(window[j+32*i])
			}
			if math.Abs(want-float64(got[j])) > 1e-5 {
				t.Fatalf("sample %d: got %v, want %v", j, got[j], want)
			}
		}
	}
}

// TestTransformIsTheStandards compares with the sums of ISO 11172-3 §2.4.3.4.10.
func TestTransformIsTheStandards(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	h := newHybrid()
	for _, block := range []int{blockLong, blockStart, blockShort, blockStop} {
		var x [lines]float32
		for k := range x {
			x[k] = rng.Float32() - 0.5
		}
		var out, next [subbands][slots]float32
		h.transformBands(&granuleInfo{block: block}, &x, subbands, &out, &next)
		for sb := range subbands {
			want := slowTransform(block, x[sb*slots:][:slots], h)
			for i := range slots {
				if math.Abs(want[i]-float64(out[sb][i])) > 1e-5 || math.Abs(want[18+i]-float64(next[sb][i])) > 1e-5 {
					t.Fatalf("block %d subband %d sample %d: got %v %v, want %v %v",
						block, sb, i, out[sb][i], next[sb][i], want[i], want[18+i])
				}
			}
		}
	}
}

func slowTransform(block int, in []float32, h *hybridFilter) (y [36]float64) {
	cosine := func(n, i, k int) float64 {
		return math.Cos(math.Pi / float64(2*n) * float64((2*i+1+n/2)*(2*k+1)))
	}
	if block != blockShort {
		for i := range 36 {
			for k, v := range in {
				y[i] += float64(v) * cosine(36, i, k) * float64(h.windows[block][i])
			}
		}
		return y
	}
	for w := range 3 {
		for i := range 12 {
			for k := range 6 {
				y[6+6*w+i] += float64(in[3*k+w]) * cosine(12, i, k) * math.Sin(math.Pi/12*(float64(i)+0.5))
			}
		}
	}
	return y
}
