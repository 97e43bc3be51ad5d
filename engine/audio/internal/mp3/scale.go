package mp3

// maxBands is the most scale factors of a granule: 13 short bands of three windows.
const maxBands = 39

// illegal marks an intensity position that means "not intensity coded".
const illegal = -1

// scaleFactors are the scale factors of one channel by band; in the right channel they double as intensity positions.
type scaleFactors struct {
	factor [maxBands]int
	limit  [maxBands]int // the value that is illegal as an intensity position
}

// readMPEG1 reads the scale factors of MPEG-1 (ISO 11172-3 §2.4.2.7). s still holds those of the granule before.
func (s *scaleFactors) readMPEG1(g *granuleInfo, r *bitReader) {
	low := [16]int{0, 0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4}[g.compress]
	high := [16]int{0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 3}[g.compress]
	for i := range s.limit {
		s.limit[i] = 7
	}
	if g.block == blockShort {
		count := 18
		if g.mixed {
			count = 8 + 9
		}
		s.readRun(r, 0, count, low)
		s.readRun(r, count, count+18, high)
		s.readRun(r, count+18, maxBands, 0)
		return
	}
	for group, bound := range [4][2]int{{0, 6}, {6, 11}, {11, 16}, {16, 21}} {
		if g.shareScale[group] {
			continue
		}
		size := low
		if group >= 2 {
			size = high
		}
		s.readRun(r, bound[0], bound[1], size)
	}
	s.readRun(r, 21, maxBands, 0)
}

func (s *scaleFactors) readRun(r *bitReader, from, to, size int) {
	for i := from; i < to; i++ {
		s.factor[i] = r.bits(size)
	}
}

// lsfGroups returns the number of scale factors in each of four groups, by form of scalefac_compress and by block:
// long, short, mixed (ISO 13818-3 §2.4.3.2).
func lsfGroups(form, block int) [4]int {
	return [6][3][4]int{
		{{6, 5, 5, 5}, {9, 9, 9, 9}, {6, 9, 9, 9}},
		{{6, 5, 7, 3}, {9, 9, 12, 6}, {6, 9, 12, 6}},
		{{11, 10, 0, 0}, {18, 18, 0, 0}, {15, 18, 0, 0}},
		{{7, 7, 7, 0}, {12, 12, 12, 0}, {6, 15, 12, 0}},
		{{6, 6, 6, 3}, {12, 9, 9, 6}, {6, 12, 9, 6}},
		{{8, 8, 5, 0}, {15, 12, 9, 0}, {6, 18, 9, 0}},
	}[form][block]
}

// lsfSizes splits scalefac_compress into the bits of each group.
func lsfSizes(c int, right bool) (form int, sizes [4]int) {
	if right {
		switch c /= 2; {
		case c < 180:
			return 3, [4]int{c / 36, c % 36 / 6, c % 6, 0}
		case c < 244:
			c -= 180
			return 4, [4]int{c % 64 >> 4, c % 16 >> 2, c % 4, 0}
		}
		c -= 244
		return 5, [4]int{c / 3, c % 3, 0, 0}
	}
	switch {
	case c < 400:
		return 0, [4]int{(c >> 4) / 5, (c >> 4) % 5, c % 16 >> 2, c % 4}
	case c < 500:
		c -= 400
		return 1, [4]int{(c >> 2) / 5, (c >> 2) % 5, c % 4, 0}
	}
	c -= 500
	return 2, [4]int{c / 3, c % 3, 0, 0}
}

// readLSF reads the scale factors of MPEG-2 and 2.5; right: of an intensity coded right channel.
func (s *scaleFactors) readLSF(g *granuleInfo, r *bitReader, right bool) {
	form, sizes := lsfSizes(g.compress, right)
	g.preflag = form == 2
	g.intensityHalf = right && g.compress&1 != 0
	block := 0
	if g.block == blockShort {
		if block = 1; g.mixed {
			block = 2
		}
	}
	*s = scaleFactors{}
	at := 0
	for i, count := range lsfGroups(form, block) {
		for range count {
			s.factor[at] = r.bits(sizes[i])
			s.limit[at] = 1<<sizes[i] - 1
			at++
		}
	}
}

// preEmphasis is pretab (ISO 11172-3 table B.6): the values that preflag adds to the scale factors of long blocks.
func preEmphasis(band int) int {
	if band < 11 || band > 20 {
		return 0
	}
	return [10]int{1, 1, 1, 1, 2, 2, 3, 3, 3, 2}[band-11]
}
