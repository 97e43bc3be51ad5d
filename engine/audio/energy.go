package audio

import "math"

// SumSquares returns the energy of samples: the sum of their squares.
func SumSquares[T int16 | float32 | float64](samples []T) (sum float64) {
	for _, v := range samples {
		sum += float64(v) * float64(v)
	}
	return sum
}

// MeasureRMS returns the level of samples, their root mean square; 0 without any.
func MeasureRMS[T int16 | float32 | float64](samples []T) float64 {
	return math.Sqrt(SumSquares(samples) / float64(max(1, len(samples))))
}
