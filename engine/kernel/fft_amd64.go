//go:build amd64 && !purego

package kernel

//go:noescape
func stageAVX2(x *Complex4, turns *butterflyFactors, span, step int)

//go:noescape
func lastStageAVX2(x *Complex4)

//go:noescape
func powerAVX2(dst *Quad, x *Complex4, place *uint16, split *twiddleFactor)

func (f *FFT512) runStage(x *[points]Complex4, span int) {
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

func (f *FFT512) powerSpectrum(dst *[bins]Quad, x *[points]Complex4) {
	if !fast {
		f.powerGo(dst, x)
		return
	}
	powerAVX2(&dst[0], &x[0], &f.place[0], &f.split[0])
}
