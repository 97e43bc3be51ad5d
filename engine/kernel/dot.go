package kernel

// DotProducts4 computes the inner products of four pairs of vectors, all as long as a[0]: the outputs of a filter. A
// result has the same bits on every machine, and does not depend on the other three pairs.
func DotProducts4(dst *[4]float32, a, b *[4][]float32) {
	n := len(a[0])
	for k := range a { // the assembly checks no bounds
		_, _ = a[k][:n], b[k][:n]
	}
	dotProducts4(dst, a, b, n)
}

func dotProducts4Go(dst *[4]float32, a, b *[4][]float32, n int) {
	for k := range dst {
		dst[k] = dotProduct(a[k][:n], b[k][:n])
	}
}

// dotProduct sums the elements 8i, 8i+1, … apart: eight additions that do not wait for each other. The conversions make
// the compiler round each product, as the assembly does.
func dotProduct(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s4 += float32(a[4] * b[4])
		s5 += float32(a[5] * b[5])
		s6 += float32(a[6] * b[6])
		s7 += float32(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3) + (s4 + s5) + (s6 + s7)
}
