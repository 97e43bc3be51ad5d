package features

import "math"

const deviation = 1e-5 // added to a row's standard deviation

// normalise brings a row to mean 0 and standard deviation 1 (unbiased). A single frame becomes 0.
func normalise(row []float32) {
	var sum, squares float64
	for _, v := range row {
		sum += float64(v)
	}
	mean := sum / float64(len(row))
	for _, v := range row {
		d := float64(v) - mean
		squares += d * d
	}
	std := 0.0
	if len(row) > 1 {
		std = math.Sqrt(squares / float64(len(row)-1))
	}
	shift, scale := float32(mean), float32(1/(std+deviation))
	for i, v := range row {
		row[i] = (v - shift) * scale
	}
}
