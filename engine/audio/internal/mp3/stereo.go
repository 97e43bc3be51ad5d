package mp3

import "math"

// decodeStereo undoes joint stereo on the lines of both channels (ISO 11172-3 §2.4.3.4.9, ISO 13818-3 §2.4.3.2).
// used is the number of lines up to the last that is not zero, of each channel; the result is their maximum.
func decodeStereo(
	h *frameHeader, g *granuleInfo, bands []scaleBand, s *scaleFactors, x *[2][lines]float32, used [2]int,
) int {
	most := max(used[0], used[1])
	if !h.intensity {
		if h.midSide {
			midSide(x, 0, most)
		}
		return most
	}
	bound := intensityBounds(bands, &x[1], used[1])
	for i, b := range bands {
		position := s.intensityPosition(i, bands)
		if b.start < bound[b.window+1] || position == illegal {
			if h.midSide {
				midSide(x, b.start, b.start+b.width)
			}
			continue
		}
		left, right := intensityGains(h, g, position)
		for k := b.start; k < b.start+b.width; k++ {
			x[0][k], x[1][k] = x[0][k]*left, x[0][k]*right
		}
	}
	return most
}

func midSide(x *[2][lines]float32, from, to int) {
	for k := from; k < to; k++ {
		m, s := x[0][k], x[1][k]
		x[0][k], x[1][k] = (m+s)*math.Sqrt2/2, (m-s)*math.Sqrt2/2
	}
}

// intensityBounds returns, for long bands and each short window (index window+1), the first line after the
// last band that the right channel uses.
func intensityBounds(bands []scaleBand, right *[lines]float32, used int) (bound [4]int) {
	for _, b := range bands {
		if b.start >= used {
			continue
		}
		for _, v := range right[b.start : b.start+b.width] {
			if v != 0 {
				bound[b.window+1] = b.start + b.width
				break
			}
		}
	}
	if last := max(bound[1], bound[2], bound[3]); last > 0 {
		bound[0] = max(bound[0], lines) // short lines in use: all long bands below are coded in full
	}
	return bound
}

// intensityPosition returns the intensity position of a band. The last band has none and uses the one before.
func (s *scaleFactors) intensityPosition(i int, bands []scaleBand) int {
	back := 1
	if bands[i].window >= 0 {
		back = 3
	}
	if i >= len(bands)-back {
		i -= back
	}
	if s.factor[i] == s.limit[i] {
		return illegal
	}
	return s.factor[i]
}

// intensityGains splits the left channel's lines.
func intensityGains(h *frameHeader, g *granuleInfo, position int) (left, right float32) {
	if !h.isLowSampling() {
		if position >= 6 {
			return 1, 0
		}
		ratio := math.Tan(float64(position) * math.Pi / 12)
		return float32(ratio / (1 + ratio)), float32(1 / (1 + ratio))
	}
	step := math.Sqrt2 / 2
	if g.intensityHalf {
		step = math.Pow(2, -0.25)
	}
	gain := float32(math.Pow(step, float64((position+1)/2)))
	if position&1 != 0 {
		return gain, 1
	}
	return 1, gain
}
