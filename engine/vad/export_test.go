package vad

// FindSegments returns the speech segments of a recording from its windows' probabilities, as silero-vad's
// get_speech_timestamps does: in order, disjoint, padded. samples is the length of the recording.
func FindSegments(probs []float32, samples int, p SpeechParams) []SpeechSegment {
	d := newDetector(p)
	var found []SpeechSegment
	for _, prob := range probs {
		found = d.pushProbability(found, float64(prob))
	}
	found = d.finishRecording(found, samples)
	padding := p.PadMS * ms
	for i := range found {
		if i == 0 {
			found[i].Start = max(0, found[i].Start-padding)
		}
		if i+1 < len(found) {
			padBetween(&found[i], &found[i+1], padding)
		} else {
			found[i].End = min(samples, found[i].End+padding)
		}
	}
	return found
}
