//go:build !amd64 || purego

package kernel

func matVec(dst, m, x, bias []float32, cols int) { matVecGo(dst, m, x, bias, cols) }

func matVecBatch(dst, m, x, bias []float32, n, cols int) { matVecBatchGo(dst, m, x, bias, n, cols) }
