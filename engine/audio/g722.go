package audio

// G.722 (ITU-T, 09/2012) at 64 kbit/s: two bands, each by adaptive differential coding, 16000 samples per second. One
// byte is two samples: the lower band in its low six bits, the upper band in its high two. Names and numbers of steps
// are those of the recommendation, §5 and §6.

// G722Encoder is the state of an encoder. The zero value is not ready: use [NewG722Encoder].
type G722Encoder struct {
	low, high g722Band
	filter    g722Filter
}

// NewG722Encoder returns an encoder at the beginning of a stream.
func NewG722Encoder() *G722Encoder {
	return &G722Encoder{low: g722Band{scale: lowScaleStart}, high: g722Band{scale: highScaleStart}}
}

// EncodeSamples appends the code of pcm, whose length must be even, to dst: a byte for two samples.
func (e *G722Encoder) EncodeSamples(dst []byte, pcm []int16) []byte {
	for i := 0; i+1 < len(pcm); i += 2 {
		odd, even := e.filter.pushPair(int32(pcm[i]), int32(pcm[i+1]))
		low, high := (even+odd)>>14, (even-odd)>>14
		dst = append(dst, e.low.encodeLow(low)|e.high.encodeHigh(high)<<6)
	}
	return dst
}

// G722Decoder is the state of a decoder. The zero value is not ready: use [NewG722Decoder].
type G722Decoder struct {
	low, high g722Band
	filter    g722Filter
}

// NewG722Decoder returns a decoder at the beginning of a stream.
func NewG722Decoder() *G722Decoder {
	return &G722Decoder{low: g722Band{scale: lowScaleStart}, high: g722Band{scale: highScaleStart}}
}

// DecodeBytes appends the samples of data, two for each byte, to dst.
func (d *G722Decoder) DecodeBytes(dst []int16, data []byte) []int16 {
	for _, b := range data {
		low, high := d.low.decodeLow(b&63), d.high.decodeHigh(b>>6)
		odd, even := d.filter.pushPair(low+high, low-high)
		dst = append(dst, int16(clampInt16(even>>11)), int16(clampInt16(odd>>11)))
	}
	return dst
}

// g722Filter is the quadrature mirror filter of 24 taps, which splits and joins the bands (§3.1, §4.4).
type g722Filter struct{ x [24]int32 }

// pushPair adds two samples, and returns the sums over the odd and the even taps.
func (f *g722Filter) pushPair(a, b int32) (odd, even int32) {
	copy(f.x[:], f.x[2:])
	f.x[22], f.x[23] = a, b
	for i, c := range mirrorTaps {
		odd += f.x[2*i] * c
		even += f.x[2*i+1] * mirrorTaps[11-i]
	}
	return odd, even
}

// g722Band is the adaptive predictor and quantizer of one band.
type g722Band struct {
	predicted int32    // s: the next sample, as predicted
	fromZeros int32    // sz: the zeros' part of it
	log       int32    // nb: logarithm of the scale factor
	scale     int32    // det: scale factor of the quantizer
	r         [2]int32 // reconstructed samples, the newest first
	p         [2]int32 // partially reconstructed ones
	a         [2]int32 // coefficients of the poles
	b         [6]int32 // coefficients of the zeros
	d         [6]int32 // quantized differences, doubled, the newest first
}

// Scale factors at the beginning of a stream.
const (
	lowScaleStart  = 32
	highScaleStart = 8
)

// encodeLow quantizes a sample of the lower band to six bits.
func (g *g722Band) encodeLow(sample int32) byte {
	e := clampInt16(sample - g.predicted)
	size := e
	if e < 0 {
		size = -(e + 1)
	}
	level := 1
	for level < 30 && size >= (lowLevels[level]*g.scale)>>12 {
		level++
	}
	code := lowPositive[level]
	if e < 0 {
		code = lowNegative[level]
	}
	g.adaptLow(code >> 2)
	return code
}

// decodeLow returns the lower band's sample for a six-bit code.
func (g *g722Band) decodeLow(code byte) int32 {
	sample := clampSample(g.predicted + (g.scale*lowInverse6[code])>>15)
	g.adaptLow(code >> 2)
	return sample
}

// adaptLow adapts the lower band to the high four bits of a code, the only ones that adaptation uses (embedded coding).
func (g *g722Band) adaptLow(code byte) {
	difference := (g.scale * lowInverse4[code]) >> 15
	g.adaptScale(lowSteps[code], 18432, 8)
	g.predictNext(difference)
}

// encodeHigh quantizes a sample of the upper band to two bits.
func (g *g722Band) encodeHigh(sample int32) byte {
	e := clampInt16(sample - g.predicted)
	size := e
	if e < 0 {
		size = -(e + 1)
	}
	code := byte(1)
	if e >= 0 {
		code = 3
	}
	if size >= (564*g.scale)>>12 {
		code--
	}
	g.adaptHigh(code)
	return code
}

// decodeHigh returns the upper band's sample for a two-bit code.
func (g *g722Band) decodeHigh(code byte) int32 {
	sample := clampSample(g.predicted + (g.scale*highInverse[code])>>15)
	g.adaptHigh(code)
	return sample
}

func (g *g722Band) adaptHigh(code byte) {
	difference := (g.scale * highInverse[code]) >> 15
	g.adaptScale(highSteps[code], 22528, 10)
	g.predictNext(difference)
}

// adaptScale adapts the scale factor (LOGSCL and SCALEL, in the upper band LOGSCH and SCALEH).
func (g *g722Band) adaptScale(step, most, shift int32) {
	g.log = min(max((g.log*127)>>7+step, 0), most)
	factor, down := scaleFactors[(g.log>>6)&31], shift-g.log>>11
	if down < 0 {
		factor <<= -down
	} else {
		factor >>= down
	}
	g.scale = factor << 2
}

// predictNext adapts the predictor to a quantized difference, and predicts the next sample.
func (g *g722Band) predictNext(difference int32) {
	r := clampInt16(g.predicted + difference)
	p := clampInt16(g.fromZeros + difference)
	g.adaptPoles(p)
	g.fromZeros = g.filterZeros(difference)
	g.r[1], g.r[0] = g.r[0], r
	g.p[1], g.p[0] = g.p[0], p
	fromPoles := clampInt16((g.a[0]*clampInt16(2*g.r[0]))>>15 + (g.a[1]*clampInt16(2*g.r[1]))>>15)
	g.predicted = clampInt16(fromPoles + g.fromZeros)
}

// adaptPoles adapts both poles (UPPOL2, UPPOL1) to the newest partially reconstructed sample.
func (g *g722Band) adaptPoles(p int32) {
	alike, alikeBefore := (p < 0) == (g.p[0] < 0), (p < 0) == (g.p[1] < 0)
	second := clampInt16(4 * g.a[0])
	if alike {
		second = min(-second, 32767)
	}
	second >>= 7
	if alikeBefore {
		second += 128
	} else {
		second -= 128
	}
	second = min(max(second+(g.a[1]*32512)>>15, -12288), 12288)
	first := int32(-192)
	if alike {
		first = 192
	}
	limit := clampInt16(15360 - second)
	g.a[0] = min(max(clampInt16(first+(g.a[0]*32640)>>15), -limit), limit)
	g.a[1] = second
}

// filterZeros adapts the zeros (UPZERO) to a quantized difference, appends it to the delay line and returns the zeros'
// part of the prediction (FILTEZ). A coefficient grows where the differences have the same sign.
func (g *g722Band) filterZeros(difference int32) (sum int32) {
	step := int32(128)
	if difference == 0 {
		step = 0
	}
	newest := clampInt16(2 * difference)
	for i := 5; i >= 0; i-- {
		opposite := (g.d[i] ^ difference) >> 31 // -1 where the signs differ, else 0
		g.b[i] = (g.b[i]*32640)>>15 + step*(1+2*opposite)
		if i > 0 {
			g.d[i] = g.d[i-1]
		} else {
			g.d[0] = newest
		}
		sum = clampInt16(sum + (g.b[i]*g.d[i])>>15)
	}
	return sum
}

func clampInt16(v int32) int32 { return min(max(v, -32768), 32767) }

// clampSample limits a sample of a band to 15 bits (LIMIT).
func clampSample(v int32) int32 { return min(max(v, -16384), 16383) }

// Tables of G.722. An index is a code or a level of quantization.
var (
	// mirrorTaps are the odd taps of the quadrature mirror filter; the even ones are the same in reverse.
	mirrorTaps = [12]int32{3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11}

	// lowLevels are the decision levels of the lower band's quantizer, 1 to 29.
	lowLevels = [30]int32{
		0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219, 1339,
		1458, 1612, 1765, 1980, 2195, 2557, 2919,
	}
	// lowNegative and lowPositive are the codes of the levels, 1 to 30.
	lowNegative = [31]byte{
		0, 63, 62, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4,
	}
	lowPositive = [31]byte{
		0, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34,
		33, 32,
	}
	// lowInverse6 and lowInverse4 are the quantized differences of six and of four bits, in 1/32768 of the scale factor.
	lowInverse6 = [64]int32{
		-136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360, -8576, -7856,
		-7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688, -1360, -1040, -728,
		24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456,
		4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136, -432, -136,
	}
	lowInverse4 = [16]int32{
		0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
	}
	// lowSteps are the steps of the scale factor's logarithm.
	lowSteps = [16]int32{-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60}

	highInverse = [4]int32{-7408, -1616, 7408, 1616}
	highSteps   = [4]int32{798, -214, 798, -214}

	// scaleFactors are 2^(i/32), in 1/2048.
	scaleFactors = [32]int32{
		2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834,
		2896, 2960, 3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008,
	}
)
