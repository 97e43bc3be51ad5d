package mp3

import (
	"math"
)

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

// synthesisHalf returns the first half of the synthesis window D (ISO 11172-3 table B.3), and its middle, in 1/65536.
// The second half mirrors it, with the sign changed except at multiples of 64.
func synthesisHalf() [257]int32 {
	return [257]int32{
		0, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -3,
		-3, -4, -4, -5, -5, -6, -7, -7, -8, -9, -10, -11,
		-13, -14, -16, -17, -19, -21, -24, -26, -29, -31, -35, -38,
		-41, -45, -49, -53, -58, -63, -68, -73, -79, -85, -91, -97,
		-104, -111, -117, -125, -132, -139, -147, -154, -161, -169, -176, -183,
		-190, -196, -202, -208, 213, 218, 222, 225, 227, 228, 228, 227,
		224, 221, 215, 208, 200, 189, 177, 163, 146, 127, 106, 83,
		57, 29, -2, -36, -72, -111, -153, -197, -244, -294, -347, -401,
		-459, -519, -581, -645, -711, -779, -848, -919, -991, -1064, -1137, -1210,
		-1283, -1356, -1428, -1498, -1567, -1634, -1698, -1759, -1817, -1870, -1919, -1962,
		-2001, -2032, -2057, -2075, -2085, -2087, -2080, -2063, 2037, 2000, 1952, 1893,
		1822, 1739, 1644, 1535, 1414, 1280, 1131, 970, 794, 605, 402, 185,
		-45, -288, -545, -814, -1095, -1388, -1692, -2006, -2330, -2663, -3004, -3351,
		-3705, -4063, -4425, -4788, -5153, -5517, -5879, -6237, -6589, -6935, -7271, -7597,
		-7910, -8209, -8491, -8755, -8998, -9219, -9416, -9585, -9727, -9838, -9916, -9959,
		-9966, -9935, -9863, -9750, -9592, -9389, -9139, -8840, -8492, -8092, -7640, -7134,
		6574, 5959, 5288, 4561, 3776, 2935, 2037, 1082, 70, -998, -2122, -3300,
		-4533, -5818, -7154, -8540, -9975, -11455, -12980, -14548, -16155, -17799, -19478, -21189,
		-22929, -24694, -26482, -28289, -30112, -31947, -33791, -35640, -37489, -39336, -41176, -43006,
		-44821, -46617, -48390, -50137, -51853, -53534, -55178, -56778, -58333, -59838, -61289, -62684,
		-64019, -65290, -66494, -67629, -68692, -69679, -70590, -71420, -72169, -72835, -73415, -73908,
		-74313, -74630, -74856, -74992, 75038,
	}
}

// synthesisWindow returns D[0..511].
func synthesisWindow() (d [512]float32) {
	for i, v := range synthesisHalf() {
		d[i] = float32(v) / 65536
	}
	for i := 1; i < 256; i++ {
		if d[512-i] = -d[i]; i%64 == 0 {
			d[512-i] = d[i]
		}
	}
	return d
}
