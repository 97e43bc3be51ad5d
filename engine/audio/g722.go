package audio

// G.722 (ITU-T, 09/2012) at 64 kbit/s: two bands, each by adaptive differential coding, 16000 samples per second. One
// byte is two samples: the lower band in its low six bits, the upper band in its high two. Names and numbers of steps
// are those of the recommendation, §5 and §6.

// G722Rate is the sample rate of G.722, in samples per second.
const G722Rate = 16000

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
