package engine

import (
	"context"
	"time"

	"munadi/engine/vad"
)

const (
	// earlyPause is the silence in windows after which the words of a turn are judged first: 192 ms.
	earlyPause = 6
	// fullPause is the silence in windows after which they are judged again, if the turn is still open: 416 ms, from when
	// on the audio has all the padding of a final text.
	fullPause = 13
)

// PausedTurn is an open turn in a pause of its speech.
type PausedTurn struct {
	Text       string
	Confidence float64 // mean of the words', 0 without any
	Readings   []GrammarReading
	Start, End float64 // of its speech so far, in seconds of the audio
}

// EndpointRule decides how long the silence after a turn's speech must be in total to end the turn (semantic
// endpointing). It is asked twice in a pause, after 192 and after 416 ms, and not at all in a shorter one.
type EndpointRule func(PausedTurn) time.Duration

// SetEndpointRule sets the rule that ends turns in place of EndSilence and IncompleteSilence, from the next pause on;
// nil: none.
func (s *LiveStream) SetEndpointRule(rule EndpointRule) { s.opt.Endpoint = rule }

// judgePause asks the rule when the pause has one of the two lengths, and reports whether the turn is over.
func (s *LiveStream) judgePause(ctx context.Context) (over bool, err error) {
	gap := s.turns.pauseLength()
	if s.opt.Endpoint == nil || gap != earlyPause && gap != fullPause {
		return false, nil
	}
	segments, err := s.decodeRestOfTurn(ctx)
	if err != nil {
		return false, err
	}
	e := s.newEvent(Final, append(s.settled[:len(s.settled):len(s.settled)], segments...)...)
	want := s.opt.Endpoint(PausedTurn{
		Text: e.Text, Confidence: e.Confidence, Readings: e.Readings, Start: e.Start, End: e.End,
	})
	return s.turns.awaitSilence(windowCount(want)), nil
}

// isDecodedInPause reports whether the turn's rest was decoded in this pause, with all padding or before it was
// complete.
func (s *LiveStream) isDecodedInPause() bool {
	a := s.ahead
	if a == nil || a.start != s.start {
		return false
	}
	return a.end == s.restEnd() || s.opt.Endpoint != nil && a.last == s.turns.last &&
		s.turns.pauseLength() < fullPause
}

// restEnd returns the end of the turn's audio that is decoded now. With a rule it is the end of the last window, so
// that decisions do not depend on how much audio is pushed at a time.
func (s *LiveStream) restEnd() int {
	if s.opt.Endpoint != nil {
		return min(s.turnEnd(), s.turns.heard*window)
	}
	return min(s.turnEnd(), s.total)
}

const (
	// exitMargin is the VAD hysteresis: how far below the threshold the probability must fall for speech to end, as in
	// Silero.
	exitMargin = 0.15
	// minExit is the minimum of the probability below which speech ends, as in Silero.
	minExit = 0.01
	// turnSpeech is the minimum speech of a turn, in windows: 128 ms, shorter than a spoken "لا".
	turnSpeech = 4
	// onsetSpeech is the speech after which a turn is likely, in windows: 64 ms.
	onsetSpeech = 2
	// blipSilence is the silence, in windows, after which a shorter sound is discarded.
	blipSilence = 7
	// maxUncertain is the timeout of uncertain speech, in windows (8 s): its audio is then dropped.
	maxUncertain = 250
	// defaultEndSilence is the default silence that ends a turn (VAD hangover).
	defaultEndSilence = 700 * time.Millisecond
)

// turnDetector is the endpointer: it finds where speech starts and ends in a stream. It counts in windows of 32 ms.
type turnDetector struct {
	threshold, exit float64
	silence         int // hangover in windows
	patience        int // hangover in effect: silence, or longer after an incomplete answer

	heard int  // windows so far
	start int  // of the turn or candidate
	last  int  // end of the last window of speech
	loud  int  // windows of speech since start
	maybe bool // candidate: speech has started
	open  bool // it is a turn
}

// turnChange is the effect of a window.
type turnChange int

const (
	nothing turnChange = iota
	likely             // a turn has probably begun
	begun
	ended
)

// setThreshold sets the VAD threshold and the hangover; zero means the default.
func (t *turnDetector) setThreshold(threshold float64, silence time.Duration) {
	if silence <= 0 {
		silence = defaultEndSilence
	}
	if threshold <= 0 {
		threshold = vad.DefaultParams().Threshold
	}
	t.threshold, t.exit, t.silence = threshold, max(threshold-exitMargin, minExit), windowCount(silence)
}

// windowCount converts a duration to windows, rounded up.
func windowCount(d time.Duration) int {
	samples := int(d * sampleRate / time.Second)
	return (samples + window - 1) / window
}

// pushProbability processes the next window's speech probability.
func (t *turnDetector) pushProbability(p float64) turnChange {
	t.heard++
	if p >= t.threshold {
		return t.onSpeech()
	}
	if t.maybe && p >= t.exit {
		t.last = t.heard // between the two thresholds (hysteresis)
	}
	return t.onQuiet()
}

func (t *turnDetector) onSpeech() turnChange {
	if !t.maybe {
		t.maybe, t.start, t.loud = true, t.heard-1, 0
	}
	t.loud++
	t.last, t.patience = t.heard, t.silence
	switch {
	case !t.open && t.loud == onsetSpeech:
		return likely
	case t.open || t.loud < turnSpeech:
		return nothing
	}
	t.open = true
	return begun
}

func (t *turnDetector) onQuiet() turnChange {
	gap := t.heard - t.last
	switch {
	case t.open && gap >= t.patience:
		t.open, t.maybe = false, false
		return ended
	case t.maybe && !t.open && (gap >= blipSilence || t.heard-t.start >= maxUncertain):
		t.maybe = false
	}
	return nothing
}

// extendTurn reopens the turn that just ended, until speech continues or silence reaches this number of windows in
// total. It returns false if that is no longer than the hangover in effect, e.g. since the turn was extended before.
func (t *turnDetector) extendTurn(silence int) bool {
	if silence <= t.patience {
		return false
	}
	t.open, t.maybe, t.patience = true, true, silence
	return true
}

// pauseLength returns the silence since the last speech of the open turn, in windows.
func (t *turnDetector) pauseLength() int { return t.heard - t.last }

// awaitSilence sets how many windows of silence end the open turn in this pause. It ends the turn if there were so many
// already, and reports that.
func (t *turnDetector) awaitSilence(silence int) (over bool) {
	if t.patience = silence; t.pauseLength() < silence {
		return false
	}
	t.open, t.maybe = false, false
	return true
}

// endAudio ends the stream: true if a turn was open.
func (t *turnDetector) endAudio() bool {
	was := t.open
	t.open, t.maybe = false, false
	return was
}
