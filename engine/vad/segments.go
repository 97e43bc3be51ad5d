package vad

// padBetween extends two neighbours towards each other: by the padding, at most to the middle of their gap.
func padBetween(a, b *SpeechSegment, padding int) {
	side := padding
	if gap := b.Start - a.End; gap < 2*padding {
		side = gap / 2
	}
	a.End += side
	b.Start = max(0, b.Start-side)
}
