package features

import "math"

const deviation = 1e-5 // added to a row's standard deviation

// normalizeMel normalizes the valid frames of all rows [F, L+1] as the options say, and sets the last frame to zero.
func (e *MelExtractor) normalizeMel(mel []float32, valid int) {
	width := valid + 1
	if e.options.Normalize == AllFeatures {
		normalizeTogether(mel, valid)
	}
	for f := range e.bank {
		row := mel[f*width : f*width+valid]
		switch e.options.Normalize {
		case PerFeature:
			normalizeRow(row)
		case Fixed:
			for i, v := range row {
				row[i] = (v - e.options.Mean[f]) / e.options.Std[f]
			}
		}
		mel[f*width+valid] = 0
	}
}

// normalizeTogether normalizes all rows [F, L+1] to mean 0 and deviation 1 over the valid frames of all rows.
func normalizeTogether(mel []float32, valid int) {
	width, n := valid+1, 0.0
	var sum, squares float64
	each := func(do func(row []float32)) {
		for at := 0; at < len(mel); at += width {
			do(mel[at : at+valid])
		}
	}
	each(func(row []float32) {
		s, _ := rowMoments(row, 0)
		sum, n = sum+s, n+float64(len(row))
	})
	if n < 2 {
		clear(mel)
		return
	}
	mean := sum / n
	each(func(row []float32) {
		_, s := rowMoments(row, mean)
		squares += s
	})
	shift, scale := float32(mean), float32(1/(math.Sqrt(squares/(n-1))+deviation))
	each(func(row []float32) {
		for i, v := range row {
			row[i] = (v - shift) * scale
		}
	})
}

// normalizeRow normalizes a row to mean 0 and standard deviation 1 (unbiased). A single frame becomes 0.
func normalizeRow(row []float32) {
	sum, _ := rowMoments(row, 0)
	mean := sum / float64(len(row))
	_, squares := rowMoments(row, mean)
	std := 0.0
	if len(row) > 1 {
		std = math.Sqrt(squares / float64(len(row)-1))
	}
	shift, scale := float32(mean), float32(1/(std+deviation))
	for i, v := range row {
		row[i] = (v - shift) * scale
	}
}

// rowMoments returns the sums of the differences from c and of their squares. Four partial sums each allow parallel
// additions.
func rowMoments(row []float32, c float64) (sum, squares float64) {
	var sum0, sum1, sum2, sum3, sq0, sq1, sq2, sq3 float64
	for ; len(row) >= 4; row = row[4:] {
		d0, d1, d2, d3 := float64(row[0])-c, float64(row[1])-c, float64(row[2])-c, float64(row[3])-c
		sum0, sum1, sum2, sum3 = sum0+d0, sum1+d1, sum2+d2, sum3+d3
		sq0, sq1, sq2, sq3 = sq0+float64(d0*d0), sq1+float64(d1*d1), sq2+float64(d2*d2), sq3+float64(d3*d3)
	}
	for _, v := range row {
		d := float64(v) - c
		sum0, sq0 = sum0+d, sq0+float64(d*d)
	}
	return sum0 + sum1 + sum2 + sum3, sq0 + sq1 + sq2 + sq3
}
