//go:build amd64 && !purego

package kernel

//go:noescape
func stageAVX2(x *Complex4, turns *turn, span, step int)

//go:noescape
func lastStageAVX2(x *Complex4)

//go:noescape
func powerAVX2(dst *Quad, x *Complex4, place *uint16, split *factor)

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
