package engine

import "slices"

const (
	peak = 4 // windows, 128 ms: shorter than any syllable
	// leastSpeech is the minimum speech likelihood of a production chunk. Of 600 words by six speakers 99.5 % reach
	// 0.94; of 60 generated melodies with voice-like formants four passed the VAD's threshold, with 0.47 to 0.73.
	leastSpeech = 0.8
)

// speechChunk is a stretch of speech to be decoded in one piece.
type speechChunk struct {
	start   int       // position of the first sample in the audio
	samples []float32 // 16 kHz
	speech  float64   // speech likelihood, see peakLikelihood
}

// sampleTape buffers the latest samples of one source with their speech probabilities, and cuts chunks from them.
type sampleTape struct {
	maxChunk int       // samples; a longer segment is cut at its lowest speech probability
	least    float64   // less likely chunks are dropped
	borrows  bool      // chunks share buf: they are decoded before it changes
	buf      []float32 // samples from base on
	base     int       // multiple of window
	probs    []float32 // of the windows from base on
	ready    []speechChunk
}

// splitChunks splits the samples from start to end into pieces of at most maxChunk.
func (t *sampleTape) splitChunks(start, end int) {
	for end-start > t.maxChunk {
		cut := t.quietestWindow(start+t.maxChunk/2, start+t.maxChunk)
		t.emitChunk(start, cut)
		start = cut
	}
	t.emitChunk(start, end)
}

// quietestWindow returns the middle of the window in [from, to) with the lowest speech probability.
func (t *sampleTape) quietestWindow(from, to int) int {
	best := (to - t.base) / window
	for w := (from - t.base) / window; w < (to-t.base)/window; w++ {
		if w < len(t.probs) && (best >= len(t.probs) || t.probs[w] <= t.probs[best]) {
			best = w
		}
	}
	return min(t.base+best*window+window/2, to)
}

func (t *sampleTape) emitChunk(start, end int) {
	from, to := start-t.base, min(end-t.base, len(t.buf))
	if from >= to {
		return
	}
	speech := t.peakLikelihood(from, to)
	if speech < t.least {
		return
	}
	samples := t.buf[from:to:to]
	if !t.borrows {
		samples = slices.Clone(samples)
	}
	t.ready = append(t.ready, speechChunk{start: start, samples: samples, speech: speech})
}

// peakLikelihood returns the mean of the highest speech probabilities (peak windows) between buffer positions from and
// to.
func (t *sampleTape) peakLikelihood(from, to int) float64 {
	first, last := from/window, min((to+window-1)/window, len(t.probs))
	var best [peak]float32 // in ascending order
	for _, p := range t.probs[first:last] {
		if p <= best[0] {
			continue
		}
		i := 0
		for ; i+1 < peak && best[i+1] < p; i++ {
			best[i] = best[i+1]
		}
		best[i] = p
	}
	sum := 0.0
	for _, p := range best {
		sum += float64(p)
	}
	return sum / peak
}

// forgetBefore drops whole windows before the earliest sample still needed.
func (t *sampleTape) forgetBefore(sample int) {
	n := min((sample-t.base)/window, len(t.probs))
	if n <= 0 {
		return
	}
	t.buf = t.buf[:copy(t.buf, t.buf[min(n*window, len(t.buf)):])]
	t.probs = t.probs[:copy(t.probs, t.probs[n:])]
	t.base += n * window
}
