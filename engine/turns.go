package engine

import (
	"time"

	"munadi/engine/vad"
)

const (
	// exitMargin is how far below the threshold the probability must fall for speech to end, as Silero has it.
	exitMargin = 0.15
	// leastExit is the probability below which speech always ends, as Silero has it.
	leastExit = 0.01
	// turnSpeech windows of speech make a turn: 128 ms, shorter than a spoken "لا".
	turnSpeech = 4
	// turnBlip windows of silence forget what was too short to be one.
	turnBlip = 7
	// longMaybe windows that are not certain to be speech are none, 8 s: their sound is not kept for ever.
	longMaybe = 250
	// usualEnd is the silence after which somebody is taken to have finished.
	usualEnd = 700 * time.Millisecond
)

// turnDetector finds where somebody begins and stops speaking in a sound that goes on. It counts in windows of 32 ms.
type turnDetector struct {
	threshold, exit float64
	silence         int // windows that end a turn

	heard int  // windows so far
	start int  // of the turn, or of what may become one
	last  int  // behind the last window of speech
	loud  int  // windows of speech since start
	maybe bool // speech has begun, a turn perhaps
	open  bool // it is a turn
}

// turnChange is what a window did.
type turnChange int

const (
	nothing turnChange = iota
	begun
	ended
)

// setThreshold sets the threshold and the silence that ends a turn, each its usual value for zero.
func (t *turnDetector) setThreshold(threshold float64, silence time.Duration) {
	if silence <= 0 {
		silence = usualEnd
	}
	if threshold <= 0 {
		threshold = vad.DefaultParams().Threshold
	}
	t.threshold, t.exit, t.silence = threshold, max(threshold-exitMargin, leastExit), windowCount(silence)
}

// windowCount is a duration in windows, rounded up.
func windowCount(d time.Duration) int {
	samples := int(d * sampleRate / time.Second)
	return (samples + window - 1) / window
}

// pushProbability takes the next window's probability of speech.
func (t *turnDetector) pushProbability(p float64) turnChange {
	t.heard++
	if p >= t.threshold {
		return t.onSpeech()
	}
	if t.maybe && p >= t.exit {
		t.last = t.heard // not certain enough to begin, too likely to end
	}
	return t.onQuiet()
}

func (t *turnDetector) onSpeech() turnChange {
	if !t.maybe {
		t.maybe, t.start, t.loud = true, t.heard-1, 0
	}
	t.loud++
	t.last = t.heard
	if t.open || t.loud < turnSpeech {
		return nothing
	}
	t.open = true
	return begun
}

func (t *turnDetector) onQuiet() turnChange {
	gap := t.heard - t.last
	switch {
	case t.open && gap >= t.silence:
		t.open, t.maybe = false, false
		return ended
	case t.maybe && !t.open && (gap >= turnBlip || t.heard-t.start >= longMaybe):
		t.maybe = false
	}
	return nothing
}

// finishSound ends the sound: true if a turn was open.
func (t *turnDetector) finishSound() bool {
	was := t.open
	t.open, t.maybe = false, false
	return was
}
