package audio

import (
	"math"

	"munadi/engine/kernel"
)

// StretchedLength returns the number of samples of n samples at another speed.
func StretchedLength(n int, speed float64) int { return int(math.Round(float64(n) / speed)) }

// StretchSpeech changes the speed of mono speech and keeps its pitch: waveform similarity overlap-add (WSOLA; Verhelst
// and Roelands, ICASSP 1993). It calls emit with blocks of output in [-1, 1], [StretchedLength] samples in all; a block
// is valid until emit returns.
func StretchSpeech(pcm []int16, rate int, speed float64, emit func([]float32) error) error {
	hop := rate * 15 / 1000 // of the output, and the reach of the search: a period of the lowest voice
	rise, last := make([]float32, hop), make([]float32, hop)
	for i := range rise {
		rise[i] = float32(0.5 - 0.5*math.Cos(math.Pi*(float64(i)+0.5)/float64(hop)))
	}
	around := make([]float32, 3*hop)
	next := 0 // where the last piece goes on in the input
	for n, left := 0, StretchedLength(len(pcm), speed); left > 0; n, left = n+1, left-hop {
		at := min(int(math.Round(float64(n)*float64(hop)*speed)), len(pcm)) - hop
		copyFloats(last, pcm, next)
		copyFloats(around, pcm, at)
		where := mostSimilar(around, last)
		for i, v := range around[where : where+hop] {
			last[i] += (v - last[i]) * rise[i]
		}
		if err := emit(last[:min(left, hop)]); err != nil {
			return err
		}
		next = at + where + hop
	}
	return nil
}

// copyFloats fills dst with the samples from a place on; before the first and behind the last there is silence.
func copyFloats(dst []float32, pcm []int16, from int) {
	for i := range dst {
		dst[i] = 0
		if at := from + i; at >= 0 && at < len(pcm) {
			dst[i] = float32(pcm[at]) / 32768
		}
	}
}

// mostSimilar returns where samples are most similar to a piece: the highest normalized cross-correlation.
func mostSimilar(x, piece []float32) int {
	n, energy := len(piece), 0.0
	for _, v := range x[:n] {
		energy += float64(v) * float64(v)
	}
	best, where, last := math.Inf(-1), 0, len(x)-n
	pieces := [4][]float32{piece, piece, piece, piece}
	var sums [4]float32 // of four places at once
	for at := range last + 1 {
		if at%4 == 0 {
			var places [4][]float32
			for k := range places {
				places[k] = x[min(at+k, last):][:n]
			}
			kernel.DotProducts4(&sums, &pieces, &places)
		}
		if score := float64(sums[at%4]) / math.Sqrt(energy+1e-6); score > best {
			best, where = score, at
		}
		if at+n < len(x) {
			energy = max(0, energy+float64(x[at+n])*float64(x[at+n])-float64(x[at])*float64(x[at]))
		}
	}
	return where
}
