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

// decodeGranules decodes the main data of a frame.
func (d *FrameDecoder) decodeGranules(h *frameHeader, info *sideInfo, main []byte, pcm []float32) error {
	r, padded := newBitReader(main, d.padded)
	d.padded = padded
	for g := range h.granuleCount() {
		if err := d.decodeGranule(h, &info.granules[g], r, pcm[g*lines:(g+1)*lines]); err != nil {
			return err
		}
	}
	return nil
}

// decodeGranule decodes 576 samples.
func (d *FrameDecoder) decodeGranule(h *frameHeader, channels *[2]granuleInfo, r *bitReader, pcm []float32) error {
	var used [2]int
	for c := range h.channels {
		n, err := d.decodeChannel(h, &channels[c], r, c)
		if err != nil {
			return err
		}
		used[c] = n
	}
	if h.channels == 2 && (h.midSide || h.intensity) {
		most := decodeStereo(h, &channels[1], d.bands, &d.scales[1], &d.lines, used)
		used = [2]int{most, most}
	}
	d.renderSound(h, channels, used, pcm)
	return nil
}

// decodeChannel reads the lines of one channel and scales them.
func (d *FrameDecoder) decodeChannel(h *frameHeader, g *granuleInfo, r *bitReader, c int) (used int, err error) {
	end := r.pos + g.bits
	if end > r.end {
		return 0, ErrDamaged
	}
	s := &d.scales[c]
	if h.isLowSampling() {
		s.readLSF(g, r, c == 1 && h.intensity)
	} else {
		s.readMPEG1(g, r)
	}
	d.bands = g.bandLayout(h, d.bands)
	x := &d.lines[c]
	if used, err = d.readSpectrum(g, r, end, x); err != nil {
		return 0, err
	}
	r.pos = end
	g.requantizeLines(x, used, d.bands, s)
	return used, nil
}

// renderSound synthesizes samples from the lines of the chosen channel, or from the mean of all.
func (d *FrameDecoder) renderSound(h *frameHeader, channels *[2]granuleInfo, used [2]int, pcm []float32) {
	out := d.hybrid.overlap
	d.hybrid.overlap = [subbands][slots]float32{}
	from, to := 0, h.channels
	if d.chosen >= 0 {
		from = min(d.chosen, h.channels-1)
		to = from + 1
	}
	scale := 1 / float32(to-from)
	for c := from; c < to; c++ {
		g, x := &channels[c], &d.lines[c]
		top := d.prepareSubbands(h, g, x, used[c])
		for k := range x[:top*slots] {
			x[k] *= scale
		}
		d.hybrid.transformBands(g, x, top, &out, &d.hybrid.overlap)
	}
	var in [subbands]float32
	for t := range slots {
		for sb := range in {
			if in[sb] = out[sb][t]; sb&t&1 == 1 {
				in[sb] = -in[sb] // frequency inversion of odd subbands
			}
		}
		d.synth.synthesizeSlot(&in, pcm[32*t:])
	}
}

// prepareSubbands prepares the lines for the transform and returns the number of subbands that are not silent.
func (d *FrameDecoder) prepareSubbands(h *frameHeader, g *granuleInfo, x *[lines]float32, used int) int {
	top := (used + slots - 1) / slots
	alias := min(top+1, subbands)
	if g.block == blockShort {
		d.bands = g.bandLayout(h, d.bands)
		reorderShort(x, d.bands)
		top, alias = subbands, 0
		if g.mixed {
			alias = 2
		}
	}
	d.hybrid.undoAliasing(x, alias)
	return max(top, alias)
}
