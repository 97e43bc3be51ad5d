//go:build amd64 && !purego

package kernel

// The routines below take n > 0, a multiple of 8.

//go:noescape
func sigmoidAVX2(x *float32, n int)

//go:noescape
func tanhAVX2(x *float32, n int)

//go:noescape
func sumExpAVX2(x *float32, n int, shift float32) float32

//go:noescape
func maxAVX2(x *float32, n int) float32

//go:noescape
func reluAddAVX2(dst, a, b *float32, n int)

func sigmoid(x []float32) {
	if !fast {
		sigmoidGo(x)
		return
	}
	whole := len(x) &^ 7
	if whole > 0 {
		sigmoidAVX2(&x[0], whole)
	}
	if whole < len(x) {
		var rest [8]float32
		copy(rest[:], x[whole:])
		sigmoidAVX2(&rest[0], 8)
		copy(x[whole:], rest[:])
	}
}

func tanh(x []float32) {
	if !fast {
		tanhGo(x)
		return
	}
	whole := len(x) &^ 7
	if whole > 0 {
		tanhAVX2(&x[0], whole)
	}
	if whole < len(x) {
		var rest [8]float32
		copy(rest[:], x[whole:])
		tanhAVX2(&rest[0], 8)
		copy(x[whole:], rest[:])
	}
}

func sumExp(x []float32, shift float32) float64 {
	whole := len(x) &^ 7
	if !fast || whole == 0 {
		return sumExpGo(x, shift)
	}
	return float64(sumExpAVX2(&x[0], whole, shift)) + sumExpGo(x[whole:], shift)
}

func maxFloat(x []float32) float32 {
	whole := len(x) &^ 7
	if !fast || whole == 0 {
		return maximumGo(x)
	}
	top, rest := maxAVX2(&x[0], whole), maximumGo(x[whole:])
	if rest > top {
		return rest
	}
	return top
}

func reluAdd(dst, a, b []float32) {
	whole := len(dst) &^ 7
	if !fast {
		whole = 0
	}
	if whole > 0 {
		reluAddAVX2(&dst[0], &a[0], &b[0], whole)
	}
	reluAddGo(dst[whole:], a[whole:], b[whole:])
}
