package vad

// Segments finds the speech of a recording of so many samples from its windows' probabilities,
// as silero-vad's get_speech_timestamps does: in order, apart, padded.
func Segments(probs []float32, samples int, p Params) []Segment {
	d := newDetector(p)
	var found []Segment
	for _, prob := range probs {
		found = d.push(found, float64(prob))
	}
	found = d.finish(found, samples)
	padding := p.PadMS * ms
	for i := range found {
		if i == 0 {
			found[i].Start = max(0, found[i].Start-padding)
		}
		if i+1 < len(found) {
			pad(&found[i], &found[i+1], padding)
		} else {
			found[i].End = min(samples, found[i].End+padding)
		}
	}
	return found
}

// pad grows two neighbours towards each other: by the padding, or to the middle of their gap.
func pad(a, b *Segment, padding int) {
	side := padding
	if gap := b.Start - a.End; gap < 2*padding {
		side = gap / 2
	}
	a.End += side
	b.Start = max(0, b.Start-side)
}
