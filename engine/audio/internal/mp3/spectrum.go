package mp3

import "math"

// smallPowers is the size of the table of n^(4/3).
const smallPowers = 1024

// readSpectrum reads the quantized lines of one channel into x as ±n^(4/3), up to bit end, and
// returns the number of lines up to the last that is not zero.
func (d *FrameDecoder) readSpectrum(g *granuleInfo, r *bitReader, end int, x *[lines]float32) (int, error) {
	i := 0
	for part, bound := range [3]int{g.region[0], g.region[1], lines} {
		bound = min(bound, 2*g.pairs)
		table := g.tables[part]
		c := d.codes[table]
		if c == nil {
			for ; i < bound; i++ {
				x[i] = 0
			}
			continue
		}
		escape := escapeBits(table)
		for ; i < bound; i += 2 {
			v := c.readValue(r)
			x[i] = d.finishLine(r, v>>4, escape)
			x[i+1] = d.finishLine(r, v&15, escape)
		}
		if r.pos > end {
			return 0, ErrDamaged
		}
	}
	i = d.readQuads(g, r, end, x, i)
	clear(x[i:])
	for i > 0 && x[i-1] == 0 {
		i--
	}
	return i, nil
}

// finishLine finishes one value: escape bits, sign, power.
func (d *FrameDecoder) finishLine(r *bitReader, n, escape int) float32 {
	if n == 0 {
		return 0
	}
	if n == 15 && escape > 0 {
		n += r.bits(escape)
	}
	v := d.powerFourThirds(n)
	if r.flag() {
		return -v
	}
	return v
}

// powerFourThirds returns n^(4/3).
func (d *FrameDecoder) powerFourThirds(n int) float32 {
	if n < smallPowers {
		return d.powers[n]
	}
	return float32(float64(n) * math.Cbrt(float64(n)))
}

// readQuads reads the lines of magnitude one, four at a time, from line i.
func (d *FrameDecoder) readQuads(g *granuleInfo, r *bitReader, end int, x *[lines]float32, i int) int {
	c := d.codes[quadTables+g.quadTable]
	for i+4 <= lines && r.pos < end {
		v := c.readValue(r)
		for k := range 4 {
			x[i+k] = 0
			if v&(8>>k) == 0 {
				continue
			}
			if x[i+k] = 1; r.flag() {
				x[i+k] = -1
			}
		}
		if r.pos > end { // padding bits that looked like a code
			return i
		}
		i += 4
	}
	return i
}

// requantizeLines scales the lines (ISO 11172-3 §2.4.3.4.7).
func (g *granuleInfo) requantizeLines(x *[lines]float32, used int, bands []scaleBand, s *scaleFactors) {
	step := 0.5
	if g.coarse {
		step = 1
	}
	for i, b := range bands {
		if b.start >= used && b.window <= 0 {
			break
		}
		factor := s.factor[i]
		exponent := float64(g.gain-210) / 4
		if b.window >= 0 {
			exponent -= 2 * float64(g.subblockGain[b.window])
		} else if g.preflag {
			factor += preEmphasis(i)
		}
		gain := float32(math.Exp2(exponent - step*float64(factor)))
		for k := b.start; k < b.start+b.width; k++ {
			x[k] *= gain
		}
	}
}
