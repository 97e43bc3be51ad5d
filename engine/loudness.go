package engine

import (
	"math"
	"slices"

	"munadi/engine/audio"
)

const (
	// hop is the number of samples per level: 10 ms.
	hop = sampleRate / 100
	// closure is the longest gap within a word, in levels: the closure before a final stop consonant.
	closure = 10
	// longestTail is the longest extension of a word beyond its last token, in levels: 800 ms.
	longestTail = 80
	// aboveNoise and belowPeak, in dB, define sound: this much above the quietest tenth of the chunk, and at most this
	// much below the loudest twentieth.
	aboveNoise, belowPeak = 9, 32
)

// loudnessCurve is the level of a chunk every 10 ms, in dB, with the sound threshold.
type loudnessCurve struct {
	levels    []float64
	threshold float64
}

// newLoudness measures a chunk.
func newLoudness(samples []float32) loudnessCurve {
	l := loudnessCurve{levels: make([]float64, (len(samples)+hop-1)/hop)}
	for i := range l.levels {
		part := samples[i*hop : min((i+1)*hop, len(samples))]
		l.levels[i] = 10 * math.Log10(audio.SumSquares(part)/float64(len(part))+1e-10)
	}
	if sorted := slices.Sorted(slices.Values(l.levels)); len(sorted) > 0 {
		l.threshold = max(sorted[len(sorted)/10]+aboveNoise, sorted[len(sorted)*19/20]-belowPeak)
	}
	return l
}

// soundBounds returns the first sample of sound and the one after its last, with slack levels before and after; the
// whole chunk if less than 100 ms of it is sound.
func (l loudnessCurve) soundBounds(samples, slack int) (from, to int) {
	loud := func(level float64) bool { return level >= l.threshold }
	first := slices.IndexFunc(l.levels, loud)
	if first < 0 {
		return 0, samples
	}
	last := first
	for i := first; i < len(l.levels); i++ {
		if loud(l.levels[i]) {
			last = i
		}
	}
	from, to = max(0, first-slack)*hop, min(samples, (last+1+slack)*hop)
	if to-from < 10*hop {
		return 0, samples
	}
	return from, to
}

// soundEnds extends the ends of words from the frame of their last token to where their sound ends: at silence or the
// next word. seconds are those of the chunk's clock. NeMo's offsets only use the emission frame, which is early: a word
// of one token would last 80 ms.
func (l loudnessCurve) soundEnds(words []Word, c frameClock) {
	for i := range words {
		w := &words[i]
		limit := c.end
		if i+1 < len(words) {
			limit = words[i+1].Start
		}
		if end := l.quietFrom(w.End-c.start, limit-c.start) + c.start; end > w.End {
			w.End = roundMilliseconds(min(end, limit))
		}
	}
}

// quietFrom returns where sound that continues at from ends, at most limit; from itself if it is quiet there.
func (l loudnessCurve) quietFrom(from, limit float64) float64 {
	first := max(int(from*100), 0)
	last := min(int(limit*100), len(l.levels), first+longestTail)
	end := first
	for i := first; i < last && i-end <= closure; i++ {
		if l.levels[i] >= l.threshold {
			end = i + 1
		}
	}
	return max(from, float64(end)/100)
}
