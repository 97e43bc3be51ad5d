//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

// fast reports whether the processor and the operating system support the assembly.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func rows8AVX2(dst, m, x, bias *float32, blocks, cols int)

//go:noescape
func rows4x2AVX2(a, b, m, xa, xb, bias *float32, cols int)

func matVec(dst, m, x, bias []float32, cols int) {
	if !fast || len(dst) < 8 || cols == 0 {
		matVecGo(dst, m, x, bias, cols)
		return
	}
	blocks := len(dst) / 8
	rows8AVX2(&dst[0], &m[0], &x[0], addressAt(bias, 0), blocks, cols)
	if r := len(dst) - 8; r%8 != 0 { // the last eight rows as one block, some of them twice
		rows8AVX2(&dst[r], &m[r*cols], &x[0], addressAt(bias, r), 1, cols)
	}
}

func matVecBatch(dst, m, x, bias []float32, n, cols int) {
	if n == 0 {
		return
	}
	rows := len(dst) / n
	if !fast || rows < 8 || cols == 0 {
		matVecBatchGo(dst, m, x, bias, n, cols)
		return
	}
	for r := 0; r < rows; r += 8 {
		top := min(r, rows-8) // the last block ends with the matrix and may compute some rows twice
		batchBlock(dst, m[top*cols:], x, sliceFrom(bias, top), n, rows, top, cols)
	}
}

// batchBlock multiplies the eight rows that m begins with, rows top … top+7 of the result, by
// all n vectors: two by two, and the odd one alone.
func batchBlock(dst, m, x, bias []float32, n, rows, top, cols int) {
	v := 0
	for ; v+2 <= n; v += 2 {
		a, b := dst[v*rows+top:][:8], dst[(v+1)*rows+top:][:8]
		xa, xb := &x[v*cols], &x[(v+1)*cols]
		rows4x2AVX2(&a[0], &b[0], &m[0], xa, xb, addressAt(bias, 0), cols)
		rows4x2AVX2(&a[4], &b[4], &m[4*cols], xa, xb, addressAt(bias, 4), cols)
	}
	if v < n {
		rows8AVX2(&dst[v*rows+top], &m[0], &x[v*cols], addressAt(bias, 0), 1, cols)
	}
}

// addressAt returns the address of s[i], nil if s is nil.
func addressAt(s []float32, i int) *float32 {
	if s == nil {
		return nil
	}
	return &s[i]
}

// sliceFrom returns s[i:], nil if s is nil.
func sliceFrom(s []float32, i int) []float32 {
	if s == nil {
		return nil
	}
	return s[i:]
}
