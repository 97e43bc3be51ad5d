package mp3

import "math"

// synthesisFilter is the polyphase filter bank (ISO 11172-3 §2.4.3.2.2).
type synthesisFilter struct {
	window [512]float32
	even   [16][16]float32 // cosines of the 32-point DCT, split by the symmetry of its inputs
	odd    [16][16]float32
	v      [1024]float32 // the V vector, as a ring of 16 rows of 64
	row    int           // of the newest
}

func newSynthesis() *synthesisFilter {
	s := &synthesisFilter{window: synthesisWindow()}
	for i := range 16 {
		for k := range 16 {
			s.even[i][k] = float32(math.Cos(math.Pi / 64 * float64(2*i*(2*k+1))))
			s.odd[i][k] = float32(math.Cos(math.Pi / 64 * float64((2*i+1)*(2*k+1))))
		}
	}
	return s
}

// synthesizeSlot converts one sample of each subband to 32 output samples.
func (s *synthesisFilter) synthesizeSlot(in *[subbands]float32, out []float32) {
	s.row = (s.row + 15) % 16
	s.matrixCosines(in, (*[64]float32)(s.v[64*s.row:]))
	var sum [32]float32
	for i := range 8 {
		// U[64i+j] = V[128i+j], U[64i+32+j] = V[128i+96+j]
		first := s.v[64*((s.row+2*i)%16):][:32]
		second := s.v[64*((s.row+2*i+1)%16)+32:][:32]
		d := s.window[64*i:][:64]
		for j := range sum {
			sum[j] += first[j]*d[j] + second[j]*d[32+j]
		}
	}
	copy(out, sum[:])
}

// matrixCosines computes V[i] = Σ cos((16+i)(2k+1)π/64)·in[k] for i in 0-63 out of the 32 values of a DCT.
func (s *synthesisFilter) matrixCosines(in *[subbands]float32, v *[64]float32) {
	var plus, minus [16]float32
	for k := range 16 {
		plus[k], minus[k] = in[k]+in[31-k], in[k]-in[31-k]
	}
	var c [33]float32 // c[n] = Σ cos(n(2k+1)π/64)·in[k]; c[32] = 0
	for i := range 16 {
		var a, b float32
		even, odd := &s.even[i], &s.odd[i]
		for k := range 16 {
			a += plus[k] * even[k]
			b += minus[k] * odd[k]
		}
		c[2*i], c[2*i+1] = a, b
	}
	for i := range 17 {
		v[i] = c[16+i]
	}
	for i := 17; i < 48; i++ {
		v[i] = -c[48-i]
	}
	for i := 48; i < 64; i++ {
		v[i] = -c[i-48]
	}
}
