package kernel

// IsAccelerated reports whether assembly is used on this machine.
func IsAccelerated() bool { return fast }

// MatVec computes dst = m·x + bias.
// dst is [rows], m is [rows, cols] row by row, x is [cols]; bias is [rows], or nil for none.
// dst must not overlap m, x or bias.
func MatVec(dst, m, x, bias []float32, rows, cols int) {
	dst, m, x = dst[:rows], m[:rows*cols], x[:cols]
	if bias != nil {
		bias = bias[:rows]
	}
	matVec(dst, m, x, bias, cols)
}

// MatVecBatch does MatVec for n vectors while reading m once, which is faster when m is larger than the processor's
// cache. dst is [n, rows], x is [n, cols]. Each row of dst is bit-identical to MatVec's result for that vector.
func MatVecBatch(dst, m, x, bias []float32, n, rows, cols int) {
	dst, m, x = dst[:n*rows], m[:rows*cols], x[:n*cols]
	if bias != nil {
		bias = bias[:rows]
	}
	matVecBatch(dst, m, x, bias, n, cols)
}

// matVecGo is MatVec for every processor: four rows at a time share the loads of x.
func matVecGo(dst, m, x, bias []float32, cols int) {
	r := 0
	for ; r+4 <= len(dst); r += 4 {
		a := m[r*cols:][:len(x)]
		b := m[(r+1)*cols:][:len(x)]
		c := m[(r+2)*cols:][:len(x)]
		d := m[(r+3)*cols:][:len(x)]
		var sa, sb, sc, sd float32
		for i, v := range x {
			sa += a[i] * v
			sb += b[i] * v
			sc += c[i] * v
			sd += d[i] * v
		}
		dst[r], dst[r+1], dst[r+2], dst[r+3] = sa, sb, sc, sd
	}
	for ; r < len(dst); r++ {
		var sum float32
		for i, w := range m[r*cols:][:len(x)] {
			sum += w * x[i]
		}
		dst[r] = sum
	}
	for i, b := range bias {
		dst[i] += b
	}
}

// matVecBatchGo is MatVecBatch for every processor: each block of rows, small enough for the
// first-level cache, is multiplied by all vectors before the next block is read.
func matVecBatchGo(dst, m, x, bias []float32, n, cols int) {
	rows := len(dst) / max(n, 1)
	for r := 0; r < rows; r += 8 {
		end := min(r+8, rows)
		var part []float32
		if bias != nil {
			part = bias[r:end]
		}
		for v := range n {
			matVecGo(dst[v*rows+r:v*rows+end], m[r*cols:end*cols], x[v*cols:(v+1)*cols], part, cols)
		}
	}
}
