package mp3

import "math"

const (
	subbands = 32
	slots    = 18 // lines of a subband, and its samples in a granule
)

// hybridFilter is the inverse MDCT of each subband, with the second halves that overlap into the next granule.
type hybridFilter struct {
	windows [4][36]float32        // by block type
	long    [slots][slots]float32 // cosines of the outputs 0-8 and 18-26, see newHybrid
	short   [6][6]float32
	overlap [subbands][slots]float32
	cs, ca  [8]float32
}

// newHybrid computes the cosines of the distinct outputs of the inverse MDCT of n points. Since x[n/2-1-i] = -x[i] and
// x[n-1-i] = x[n/2+i], the first n/4 outputs of each half suffice.
func newHybrid() *hybridFilter {
	h := &hybridFilter{}
	for i := range 9 {
		for k := range slots {
			h.long[i][k] = imdctCosine(36, i, k)
			h.long[9+i][k] = imdctCosine(36, 18+i, k)
		}
	}
	for i := range 3 {
		for k := range 6 {
			h.short[i][k] = imdctCosine(12, i, k)
			h.short[3+i][k] = imdctCosine(12, 6+i, k)
		}
	}
	h.fillWindows()
	for i, c := range [8]float64{-0.6, -0.535, -0.33, -0.185, -0.095, -0.041, -0.0142, -0.0037} {
		h.cs[i] = float32(1 / math.Sqrt(1+c*c))
		h.ca[i] = float32(c / math.Sqrt(1+c*c))
	}
	return h
}

func imdctCosine(n, i, k int) float32 {
	return float32(math.Cos(math.Pi / float64(2*n) * float64((2*i+1+n/2)*(2*k+1))))
}

// fillWindows computes the windows (ISO 11172-3 §2.4.3.4.10.3). The window of short blocks has twelve values.
func (h *hybridFilter) fillWindows() {
	sine := func(i, n int) float32 { return float32(math.Sin(math.Pi / float64(n) * (float64(i) + 0.5))) }
	for i := range 36 {
		h.windows[blockLong][i] = sine(i, 36)
	}
	for i := range 12 {
		h.windows[blockShort][i] = sine(i, 12)
	}
	start, stop := &h.windows[blockStart], &h.windows[blockStop]
	for i := range 18 {
		start[i], stop[18+i] = sine(i, 36), sine(18+i, 36)
	}
	for i := range 6 {
		start[18+i], stop[12+i] = 1, 1
		start[24+i], stop[6+i] = sine(6+i, 12), sine(i, 12)
	}
}

// reorderShort reorders the lines of short blocks from window by window to line by line.
func reorderShort(x *[lines]float32, bands []scaleBand) {
	var tmp [lines]float32
	for i := 0; i < len(bands); i++ {
		b := bands[i]
		if b.window != 0 {
			continue
		}
		for k := range b.width {
			for w := range 3 {
				tmp[3*k+w] = x[b.start+w*b.width+k]
			}
		}
		copy(x[b.start:], tmp[:3*b.width])
	}
}

// undoAliasing undoes the aliasing between neighbouring long subbands (ISO 11172-3 table B.9), up to subband top.
func (h *hybridFilter) undoAliasing(x *[lines]float32, top int) {
	for sb := 1; sb < top; sb++ {
		below, above := x[(sb-1)*slots:sb*slots], x[sb*slots:(sb+1)*slots]
		for i := range 8 {
			u, d := below[slots-1-i], above[i]
			below[slots-1-i] = u*h.cs[i] - d*h.ca[i]
			above[i] = d*h.cs[i] + u*h.ca[i]
		}
	}
}

// transformBands adds the 36 outputs of the subbands below top to out, and their tails to next.
func (h *hybridFilter) transformBands(g *granuleInfo, x *[lines]float32, top int, out, next *[subbands][slots]float32) {
	for sb := range top {
		block := g.block
		if g.mixed && sb < 2 {
			block = blockLong
		}
		in := (*[slots]float32)(x[sb*slots:])
		if block == blockShort {
			h.shortBlock(in, &out[sb], &next[sb])
		} else {
			h.longBlock(in, &h.windows[block], &out[sb], &next[sb])
		}
	}
}

func (h *hybridFilter) longBlock(in *[slots]float32, window *[36]float32, out, next *[slots]float32) {
	for i := range 9 {
		a, b := &h.long[i], &h.long[9+i]
		var u, v float32
		for k, x := range in {
			u += x * a[k]
			v += x * b[k]
		}
		out[i] += u * window[i]
		out[17-i] -= u * window[17-i]
		next[i] += v * window[18+i]
		next[17-i] += v * window[35-i]
	}
}

func (h *hybridFilter) shortBlock(in *[slots]float32, out, next *[slots]float32) {
	window := &h.windows[blockShort]
	var y [36]float32
	for w := range 3 {
		at := y[6+6*w:]
		for i := range 3 {
			var u, v float32
			for k := range 6 {
				u += in[3*k+w] * h.short[i][k]
				v += in[3*k+w] * h.short[3+i][k]
			}
			at[i] += u * window[i]
			at[5-i] -= u * window[5-i]
			at[6+i] += v * window[6+i]
			at[11-i] += v * window[11-i]
		}
	}
	for i := range slots {
		out[i] += y[i]
		next[i] += y[18+i]
	}
}
