package audio

import "math"

// StretchedLength returns the number of samples of n samples at another speed.
func StretchedLength(n int, speed float64) int { return int(math.Round(float64(n) / speed)) }

// StretchSpeech changes the speed of mono speech and keeps its pitch: waveform similarity overlap-add (WSOLA; Verhelst
// and Roelands, ICASSP 1993). It calls emit with blocks of output, [StretchedLength] samples in all; a block is valid
// until emit returns.
func StretchSpeech(samples []float32, rate int, speed float64, emit func([]float32) error) error {
	hop := rate * 15 / 1000 // of the output, and the reach of the search: a period of the lowest voice
	left := StretchedLength(len(samples), speed)
	x := append(append([]float32{}, samples...), make([]float32, 3*hop)...)
	rise, block := make([]float32, hop), make([]float32, hop)
	for i := range rise {
		rise[i] = float32(0.5 - 0.5*math.Cos(math.Pi*(float64(i)+0.5)/float64(hop)))
	}
	next := 0 // where the last piece goes on in the input
	for n := 0; left > 0; n++ {
		at := min(int(math.Round(float64(n)*float64(hop)*speed)), len(samples))
		at = mostSimilar(x, max(0, at-hop), at+hop, x[next:next+hop])
		for i := range block {
			block[i] = x[next+i] + (x[at+i]-x[next+i])*rise[i]
		}
		if err := emit(block[:min(left, hop)]); err != nil {
			return err
		}
		left -= hop
		next = min(at+hop, len(samples)+hop)
	}
	return nil
}

// mostSimilar returns where, from first to last, the input is most similar to a piece: the highest normalized
// cross-correlation.
func mostSimilar(x []float32, first, last int, piece []float32) int {
	n := len(piece)
	var energy float64
	for _, v := range x[first : first+n] {
		energy += float64(v) * float64(v)
	}
	best, where := math.Inf(-1), first
	for at := first; at <= last && at+n <= len(x); at++ {
		if score := float64(dotProduct(piece, x[at:at+n])) / math.Sqrt(energy+1e-6); score > best {
			best, where = score, at
		}
		if at+n < len(x) {
			energy = max(0, energy+float64(x[at+n])*float64(x[at+n])-float64(x[at])*float64(x[at]))
		}
	}
	return where
}
