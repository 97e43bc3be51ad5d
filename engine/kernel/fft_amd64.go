//go:build amd64 && !purego

package kernel

//go:noescape
func stageAVX2(x *Complex4, turns *turn, span, step int)

//go:noescape
func lastStageAVX2(x *Complex4)

//go:noescape
func powerAVX2(dst *Quad, x *Complex4, place *uint16, split *factor)

// The length n of w is above 0 and a multiple of 4.
//
//go:noescape
func dealAVX2(dst *Complex4, x, w *float64, hop, n int)

// The number n of bands is above 0.
//
//go:noescape
func bandsAVX2(dst *float32, x *Quad, bands *Band, n int, floor float64)

// The length n is above 0 and a multiple of 8.
//
//go:noescape
func logAVX2(x *float32, n int)

func (f *FFT512) stage(x *[points]Complex4, span int) {
	if !fast {
		f.stageGo(x, span)
		return
	}
	stageAVX2(&x[0], &f.turns[0], span, quarter/span)
}

func lastStage(x *[points]Complex4) {
	if !fast {
		lastStageGo(x)
		return
	}
	lastStageAVX2(&x[0])
}

func (f *FFT512) power(dst *[bins]Quad, x *[points]Complex4) {
	if !fast {
		f.powerGo(dst, x)
		return
	}
	powerAVX2(&dst[0], &x[0], &f.place[0], &f.split[0])
}

func deal(dst []Complex4, x, w []float64, hop int) {
	if !fast || len(w) == 0 {
		dealGo(dst, x, w, hop)
		return
	}
	dealAVX2(&dst[0], &x[0], &w[0], hop, len(w))
}

func sumBands(dst []float32, x []Quad, bands []Band, floor float64) {
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
