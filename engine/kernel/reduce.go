package kernel

import "math"

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
