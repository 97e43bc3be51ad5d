package kernel

// WeightedBand is a weighted sum of neighbouring values: Weights[i] belongs to value First+i.
type WeightedBand struct {
	First   int
	Weights []float64
}

// PreEmphasize4 writes x[n+1] - c·x[n]: x is one longer than dst.
func PreEmphasize4(dst []float64, x []float32, c float64) {
	preEmphasize4(dst, x[:len(dst)+1], c)
}

func preEmphasize4Go(dst []float64, x []float32, c float64) {
	last := float64(x[0])
	for n, v := range x[1:][:len(dst)] {
		dst[n] = float64(v) - float64(c*last)
		last = float64(v)
	}
}

// WindowFrames cuts four signals out of x, signal l beginning at l·hop, multiplies each by w, and writes
// their samples to dst: even ones as real parts, odd ones as imaginary parts. The rest of dst is set to zero. The
// length of w is a multiple of 4, at most twice that of dst.
func WindowFrames(dst []Complex4, x, w []float64, hop int) {
	head, x := dst[:len(w)/2], x[:3*hop+len(w)]
	clear(dst[len(head):])
	windowFrames(head, x, w, hop)
}

func windowFramesGo(dst []Complex4, x, w []float64, hop int) {
	for l := range 4 {
		signal := x[l*hop:][:len(w)]
		for n := range dst {
			dst[n].Re[l], dst[n].Im[l] = signal[2*n]*w[2*n], signal[2*n+1]*w[2*n+1]
		}
	}
}

// SumBands writes floor + each band's sum over x, rounded to float32: dst [bands, 4], one column for
// each signal.
func SumBands(dst []float32, x []Quad, bands []WeightedBand, floor float64) {
	for i := range bands { // the assembly checks no bounds
		b := &bands[i]
		_ = x[b.First:][:len(b.Weights)]
	}
	sumBands(dst[:4*len(bands)], x, bands, floor)
}

func sumBandsGo(dst []float32, x []Quad, bands []WeightedBand, floor float64) {
	for i, b := range bands {
		var s0, s1, s2, s3 float64
		values := x[b.First:][:len(b.Weights)]
		for n, w := range b.Weights {
			v := &values[n]
			s0, s1 = s0+float64(w*v[0]), s1+float64(w*v[1])
			s2, s3 = s2+float64(w*v[2]), s3+float64(w*v[3])
		}
		*(*[4]float32)(dst[4*i:]) = [4]float32{
			float32(s0 + floor), float32(s1 + floor), float32(s2 + floor), float32(s3 + floor),
		}
	}
}
