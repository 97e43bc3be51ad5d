package mp3

import "errors"

// ErrDamaged means that the bit counts of a frame are inconsistent.
var ErrDamaged = errors.New("mp3: damaged frame")

// Block types: the windows of the inverse MDCT.
const (
	blockLong  = 0
	blockStart = 1
	blockShort = 2
	blockStop  = 3
)

// granuleInfo is the side information of one channel in one granule (ISO 11172-3 §2.4.1.7).
type granuleInfo struct {
	bits          int // of scale factors and spectrum
	pairs         int // big_values
	gain          int // global_gain
	compress      int // scalefac_compress
	block         int
	mixed         bool // the two lowest subbands are long
	tables        [3]int
	subblockGain  [3]int
	region        [2]int // first line of regions 1 and 2
	preflag       bool
	coarse        bool // scalefac_scale
	quadTable     int
	shareScale    [4]bool // scfsi: scale factors of the previous granule are reused
	intensityHalf bool    // LSF intensity_scale
}

// sideInfo is the side information of a frame.
type sideInfo struct {
	reservoir int // main_data_begin: bytes of main data before this frame
	granules  [2][2]granuleInfo
}

func parseSide(h *frameHeader, b []byte) (s sideInfo, err error) {
	r, _ := newBitReader(b, nil)
	private := [2][2]int{{5, 3}, {1, 2}}
	if h.isLowSampling() {
		s.reservoir = r.bits(8)
		r.bits(private[1][h.channels-1])
	} else {
		s.reservoir = r.bits(9)
		r.bits(private[0][h.channels-1])
		for c := range h.channels {
			for band := range 4 {
				s.granules[1][c].shareScale[band] = r.flag()
			}
		}
	}
	for g := range h.granuleCount() {
		for c := range h.channels {
			if err := s.granules[g][c].parseSideInfo(h, r); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

func (g *granuleInfo) parseSideInfo(h *frameHeader, r *bitReader) error {
	g.bits, g.pairs, g.gain = r.bits(12), r.bits(9), r.bits(8)
	if h.isLowSampling() {
		g.compress = r.bits(9)
	} else {
		g.compress = r.bits(4)
	}
	if g.pairs > lines/2 {
		return ErrDamaged
	}
	if r.flag() {
		if err := g.parseSwitched(h, r); err != nil {
			return err
		}
	} else {
		g.parseLong(h, r)
	}
	if !h.isLowSampling() {
		g.preflag = r.flag()
	}
	g.coarse = r.flag()
	g.quadTable = r.bits(1)
	return nil
}

// parseSwitched reads the block type other than long (window switching); its regions are implied.
func (g *granuleInfo) parseSwitched(h *frameHeader, r *bitReader) error {
	g.block, g.mixed = r.bits(2), r.flag()
	if g.block == blockLong {
		return ErrDamaged
	}
	g.tables[0], g.tables[1] = r.bits(5), r.bits(5)
	for w := range g.subblockGain {
		g.subblockGain[w] = r.bits(3)
	}
	long := longBands(h.rateIndex)
	switch {
	case g.block != blockShort:
		g.mixed = false
		g.region[0] = long[8]
	case h.rateIndex == rate8000:
		g.region[0] = 72
	default:
		g.region[0] = 36
	}
	g.region[1] = lines
	return nil
}

func (g *granuleInfo) parseLong(h *frameHeader, r *bitReader) {
	for i := range g.tables {
		g.tables[i] = r.bits(5)
	}
	long := longBands(h.rateIndex)
	first := r.bits(4) + 1
	second := first + r.bits(3) + 1
	g.region[0] = long[min(first, len(long)-1)]
	g.region[1] = long[min(second, len(long)-1)]
}
