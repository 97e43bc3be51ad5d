package features

import "math"

const (
	sqrtHalfBits = 0x3f3504f3 // √½ as float32
	mantissaBits = 23
)

// ln is the natural logarithm of a normal positive number, to 1e-7 of the larger of it and 1.
// x = 2^e·m with m in [√½, √2), and ln m = 2·artanh(s) for s = (m-1)/(m+1). The polynomial
// minimises the largest relative error of that (8e-10) over the interval.
func ln(x float32) float32 {
	bits := math.Float32bits(x)
	e := int32(bits-sqrtHalfBits) >> mantissaBits
	m := math.Float32frombits(bits - uint32(e)<<mantissaBits)
	s := (m - 1) / (m + 1)
	z := s * s
	p := 2 + z*(0.6666677594184875+z*(0.399774968624115+z*0.2987307608127594))
	return float32(e)*math.Ln2 + s*p
}
