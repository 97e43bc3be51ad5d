package mp3

// lines is the number of spectral lines of a granule.
const lines = 576

// rate8000 is the rate index of 8 kHz, whose bands are unlike all others.
const rate8000 = 8

// longBands returns the first line of each scale factor band of long blocks, and lines (ISO 11172-3 table B.8,
// ISO 13818-3 table B.2).
func longBands(rateIndex int) *[23]int {
	switch rateIndex {
	case 0:
		return &[23]int{
			0, 4, 8, 12, 16, 20, 24, 30, 36, 44, 52, 62, 74, 90, 110, 134, 162, 196, 238, 288, 342, 418, 576,
		}
	case 1:
		return &[23]int{
			0, 4, 8, 12, 16, 20, 24, 30, 36, 42, 50, 60, 72, 88, 106, 128, 156, 190, 230, 276, 330, 384, 576,
		}
	case 2:
		return &[23]int{
			0, 4, 8, 12, 16, 20, 24, 30, 36, 44, 54, 66, 82, 102, 126, 156, 194, 240, 296, 364, 448, 550, 576,
		}
	case 4:
		return &[23]int{
			0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 114, 136, 162, 194, 232, 278, 332, 394, 464, 540, 576,
		}
	case rate8000:
		return &[23]int{
			0, 12, 24, 36, 48, 60, 72, 88, 108, 132, 160, 192, 232, 280, 336, 400, 476, 566, 568, 570, 572, 574, 576,
		}
	}
	return &[23]int{
		0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 116, 140, 168, 200, 238, 284, 336, 396, 464, 522, 576,
	}
}

// shortBands returns the same for one of the three windows of short blocks, and lines/3.
func shortBands(rateIndex int) *[14]int {
	switch rateIndex {
	case 0:
		return &[14]int{0, 4, 8, 12, 16, 22, 30, 40, 52, 66, 84, 106, 136, 192}
	case 1:
		return &[14]int{0, 4, 8, 12, 16, 22, 28, 38, 50, 64, 80, 100, 126, 192}
	case 2:
		return &[14]int{0, 4, 8, 12, 16, 22, 30, 42, 58, 78, 104, 138, 180, 192}
	case 3:
		return &[14]int{0, 4, 8, 12, 18, 24, 32, 42, 56, 74, 100, 132, 174, 192}
	case 4:
		return &[14]int{0, 4, 8, 12, 18, 26, 36, 48, 62, 80, 104, 136, 180, 192}
	case rate8000:
		return &[14]int{0, 8, 16, 24, 36, 52, 72, 96, 124, 160, 162, 164, 166, 192}
	}
	return &[14]int{0, 4, 8, 12, 18, 26, 36, 48, 62, 80, 104, 134, 174, 192}
}

// scaleBand is a run of lines with one scale factor. Of short blocks each window has its own.
type scaleBand struct {
	start, width int
	window       int // 0-2 in short blocks, -1 in long ones
}

// bandLayout returns the bands of a granule in the order of the bit stream, windows of a short band one after another.
func (g *granuleInfo) bandLayout(h *frameHeader, dst []scaleBand) []scaleBand {
	dst = dst[:0]
	long, short := longBands(h.rateIndex), shortBands(h.rateIndex)
	firstShort := 13 // none
	lastLong := 22
	if g.block == blockShort {
		firstShort, lastLong = 0, 0
		if g.mixed {
			firstShort, lastLong = 3, mixedLong(h)
		}
	}
	for i := range lastLong {
		dst = append(dst, scaleBand{long[i], long[i+1] - long[i], -1})
	}
	for i := firstShort; i < 13; i++ {
		width := short[i+1] - short[i]
		for w := range 3 {
			dst = append(dst, scaleBand{3*short[i] + w*width, width, w})
		}
	}
	return dst
}

// mixedLong returns the number of long bands in a mixed block.
func mixedLong(h *frameHeader) int {
	if h.isLowSampling() {
		return 6
	}
	return 8
}
