package engine

import (
	"math"
	"testing"
)

// toneBursts returns length seconds of noise with tones from start to end of each pair.
func toneBursts(length, noise float64, loud ...[2]float64) []float32 {
	out := make([]float32, int(length*sampleRate))
	for i := range out {
		at := float64(i) / sampleRate
		out[i] = float32(noise * math.Sin(float64(i*i%997)))
		for _, span := range loud {
			if at >= span[0] && at < span[1] {
				out[i] += float32(0.2 * math.Sin(2*math.Pi*200*at))
			}
		}
	}
	return out
}

func TestWordsEndWhereTheirSoundEnds(t *testing.T) {
	t.Parallel()
	c := frameClock{start: 10, end: 13, frame: 0.08}
	for name, tt := range map[string]struct {
		samples []float32
		words   []Word
		want    []float64
	}{
		"a word of one token": {
			toneBursts(3, 0, [2]float64{1, 1.6}), []Word{{Start: 11.1, End: 11.18}}, []float64{11.6},
		},
		"a word before another": {
			toneBursts(3, 0, [2]float64{1, 2}), []Word{{Start: 11, End: 11.08}, {Start: 11.4, End: 11.48}}, []float64{11.4, 12},
		},
		"in noise": {
			toneBursts(3, 0.01, [2]float64{1, 1.5}), []Word{{Start: 11.1, End: 11.18}}, []float64{11.5},
		},
		"a closure before the last consonant": {
			toneBursts(3, 0, [2]float64{1, 1.3}, [2]float64{1.38, 1.42}), []Word{{Start: 11.1, End: 11.18}}, []float64{11.42},
		},
		"another sound after a pause": {
			toneBursts(3, 0, [2]float64{1, 1.3}, [2]float64{1.6, 2}), []Word{{Start: 11.1, End: 11.18}}, []float64{11.3},
		},
		"a word that ended before": {
			toneBursts(3, 0, [2]float64{1, 1.3}), []Word{{Start: 11.1, End: 11.5}}, []float64{11.5},
		},
		"up to the end": {toneBursts(3, 0, [2]float64{2.5, 3}), []Word{{Start: 12.6, End: 12.68}}, []float64{13}},
		"a hum that goes on": {
			toneBursts(3, 0.2, [2]float64{1, 1.2}), []Word{{Start: 11.1, End: 11.18}}, []float64{11.18},
		},
	} {
		newLoudness(tt.samples).soundEnds(tt.words, c)
		for i, want := range tt.want {
			if math.Abs(tt.words[i].End-want) > 0.021 {
				t.Errorf("%s: word %d ends at %g, want %g", name, i, tt.words[i].End, want)
			}
		}
	}
	newLoudness(nil).soundEnds([]Word{{}}, c) // nothing to measure
}

// Words of one token last longer than the 80 ms of their emission frame.
func TestProductionWordsLastAsLongAsTheirSound(t *testing.T) {
	e := openTest(t)
	res, err := e.Transcribe(t.Context(), &memoryClip{samples: conversationClip(t, 3)}, TranscribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Segments {
		last := 0.0
		for _, w := range s.Words {
			if w.End-w.Start <= 0.081 || w.Start < last || w.End > s.End+0.001 {
				t.Errorf("%q from %g to %g after %g, in a segment to %g", w.Text, w.Start, w.End, last, s.End)
			}
			last = w.End
		}
	}
}
