//go:build amd64 && !purego

package kernel

// The number n of differences is above 0 and a multiple of 4.
//
//go:noescape
func slopeAVX2(dst *float64, x *float32, n int, c float64)

// The length n of w is above 0 and a multiple of 4.
//
//go:noescape
func dealAVX2(dst *Complex4, x, w *float64, hop, n int)

// The number n of bands is above 0.
//
//go:noescape
func bandsAVX2(dst *float32, x *Quad, bands *WeightedBand, n int, floor float64)

// The length n is above 0 and a multiple of 8.
//
//go:noescape
func logAVX2(x *float32, n int)

func preEmphasize4(dst []float64, x []float32, c float64) {
	whole := len(dst) &^ 3
	if !fast {
		whole = 0
	}
	if whole > 0 {
		slopeAVX2(&dst[0], &x[0], whole, c)
	}
	preEmphasize4Go(dst[whole:], x[whole:], c)
}

func windowFrames(dst []Complex4, x, w []float64, hop int) {
	if !fast || len(w) == 0 {
		windowFramesGo(dst, x, w, hop)
		return
	}
	dealAVX2(&dst[0], &x[0], &w[0], hop, len(w))
}

func sumBands(dst []float32, x []Quad, bands []WeightedBand, floor float64) {
	if !fast || len(bands) == 0 || len(x) == 0 {
		sumBandsGo(dst, x, bands, floor)
		return
	}
	bandsAVX2(&dst[0], &x[0], &bands[0], len(bands), floor)
}

func log(x []float32) {
	whole := len(x) &^ 7
	if !fast {
		whole = 0
	}
	if whole > 0 {
		logAVX2(&x[0], whole)
	}
	logGo(x[whole:])
}
