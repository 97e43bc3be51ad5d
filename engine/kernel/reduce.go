package kernel

import (
	"math"
)

// LogSumExp returns ln Σ exp(x), to about 3e-7 of the sum. It is -Inf for an empty x and
// NaN if x contains a NaN.
func LogSumExp(x []float32) float64 {
	top := maxFloat(x)
	if math.IsInf(float64(top), 1) {
		return math.Inf(1)
	}
	if math.IsInf(float64(top), -1) {
		for _, v := range x {
			top += v // -Inf unless some v is NaN
		}
		return float64(top)
	}
	return float64(top) + math.Log(sumExp(x, top))
}

// LogSoftmax computes dst = x - ln Σ exp(x). dst and x have the same length and may be the same.
func LogSoftmax(dst, x []float32) {
	x = x[:len(dst)]
	norm := LogSumExp(x)
	for i, v := range x {
		dst[i] = float32(float64(v) - norm)
	}
}

func maximumGo(x []float32) float32 {
	top := float32(math.Inf(-1))
	for _, v := range x {
		if v > top {
			top = v
		}
	}
	return top
}

func sumExpGo(x []float32, shift float32) float64 {
	var sum float64
	for _, v := range x {
		sum += math.Exp(float64(v - shift))
	}
	return sum
}

const (
	sqrtHalfBits = 0x3f3504f3 // √½ as float32
	mantissaBits = 23
)

// Log replaces normal positive numbers by their natural logarithms, with an error of at most
// 1e-7·max(1, |ln x|). The result for other values is finite but undefined.
func Log(x []float32) { log(x) }

func logGo(x []float32) {
	for i, v := range x {
		x[i] = naturalLog(v)
	}
}

// naturalLog: x = 2^e·m with m in [√½, √2), and ln m = 2·artanh(s) for s = (m-1)/(m+1). The polynomial
// minimizes the largest relative error (8e-10) over the interval. The conversions prevent the
// compiler from fusing a product with a sum: the assembly rounds both.
func naturalLog(x float32) float32 {
	bits := math.Float32bits(x)
	e := int32(bits-sqrtHalfBits) >> mantissaBits
	m := math.Float32frombits(bits - uint32(e)<<mantissaBits)
	s := (m - 1) / (m + 1)
	z := float32(s * s)
	p := 0.399774968624115 + float32(z*0.2987307608127594)
	p = 0.6666677594184875 + float32(z*p)
	p = 2 + float32(z*p)
	return float32(float32(e)*math.Ln2) + float32(s*p)
}
