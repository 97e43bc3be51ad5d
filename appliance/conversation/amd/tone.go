package amd

import (
	"math"

	"munadi/engine/audio"
)

const (
	rate           = 8000 // samples a second
	minToneHz      = 350  // Hz
	maxToneHz      = 2200 // Hz
	step           = 25   // Hz between the frequencies of the first search
	minToneShare   = 0.85 // minimum share of a frame's energy at one frequency, in a tone
	maxPitchStep   = 40   // Hz: maximum change from one frame to the next within a tone
	maxPitchChange = 15   // Hz: maximum change over a machine's tone
	maxLevelRatio  = 1.5  // maximum ratio of its loudest to its softest frame
	minOnsetRatio  = 3    // minimum ratio of its level to the level before it
	minToneLevel   = 120  // root mean square of the quietest tone
	beepFrames     = 10   // 200 ms
	faxFrames      = 25   // 500 ms
	cedTone        = 2100 // Hz, of an answering fax (T.30, CED)
	cngTone        = 1100 // Hz, of a calling fax (T.30, CNG)
	progressTone   = 425  // Hz, of ringing and busy lines (ITU-T E.180)
	toneTolerance  = 30   // Hz around those three
	cngTolerance   = 38   // Hz around 1100 (T.30)
	cngFrames      = 21   // 420 ms: a calling fax sounds for 500 ms
	cngLongest     = 30   // 600 ms
	speechLevel    = 360  // root mean square of soft speech: more than a line's noise
	speechFrames   = 15   // frames of speech after which 1100 Hz is a mailbox's beep, not a fax
)

// informationTones are the three pitches of special information tones (ITU-T E.180, clause 7), in Hz, each in the
// spellings of networks, and by how much they may miss them. The last two alone are understood too: the first may
// precede the answer.
var informationTones = [3]struct{ low, high float64 }{{890, 990}, {1345, 1455}, {1750, 1850}}

const (
	informationFrames = 10 // 200 ms: tones of 276 and 380 ms, less the frames at both edges
	informationGap    = 4  // frames from one tone to the next
)

// toneSign is the meaning of a tone.
type toneSign int

const (
	nothing toneSign = iota
	beep
	fax
	callingFax
	information
)

// toneTracker follows one frequency from frame to frame. A sound that is pure for a moment is often a voice: a nasal or
// a high vowel over a telephone, which removes the fundamental. A machine's tone is steady: it starts abruptly out of
// quiet, and changes neither in pitch nor in level.
type toneTracker struct {
	hz       float64 // of the first frame
	frames   int
	least    float64 // levels of the softest and the loudest frame; the first frame, which may be partial, is excluded
	most     float64
	onset    bool       // it began after quiet
	unsteady bool       // in pitch or in level: a voice
	before   [3]float64 // levels of the frames before the present one, the latest first

	bridged bool // the last frame was loud and not pure: at most one in a row is part of a fax's tone

	rising int  // the special information tone expected next, from 1; 0: none was heard
	gap    int  // frames since the last of them
	spoken int  // frames of speech
	held   bool // a beep that may be the first information tone: reported if no second follows
}

// pushFrame processes one frame of 20 ms.
func (t *toneTracker) pushFrame(in []int16) toneSign {
	level := audio.MeasureRMS(in)
	defer func() { t.before = [3]float64{level, t.before[0], t.before[1]} }()
	hz, ok := 0.0, false
	if level >= minToneLevel {
		hz, ok = findPureTone(in, level)
	}
	if ok && t.frames > 0 && math.Abs(hz-t.hz) <= maxPitchStep {
		t.goOn(hz, level)
		return t.classifyTone(false)
	}
	if !t.bridged && t.isFaxPitch() && t.frames >= beepFrames && level >= minToneLevel {
		t.bridged = true // a phase reversal of ANS (V.25), every 450 ms
		t.frames++
		return t.classifyTone(false)
	}
	over := t.endTone()
	if !ok && level >= speechLevel {
		t.spoken++
	}
	t.hz, t.frames = hz, 0
	if ok {
		// The frame just before may hold the beginning of the tone.
		t.frames, t.least, t.most, t.unsteady = 1, math.Inf(1), 0, false
		t.onset = max(t.before[1], t.before[2]) < level/minOnsetRatio
	}
	return over
}

func (t *toneTracker) goOn(hz, level float64) {
	t.frames++
	t.bridged = false
	if t.frames == 2 {
		t.hz = hz
	}
	t.least, t.most = min(t.least, level), max(t.most, level)
	t.unsteady = t.unsteady || math.Abs(hz-t.hz) > maxPitchChange || t.most > maxLevelRatio*t.least
}

// endTone classifies the tone that ended, and tracks special information tones, which follow one another.
func (t *toneTracker) endTone() toneSign {
	which := informationTone(t.hz)
	if t.frames >= informationFrames && which >= 0 && (which == t.rising || t.rising == 0 && which == 1) {
		t.held = t.held || t.rising == 0 && t.classifyTone(true) == beep
		t.rising, t.gap = which+1, 0
		if t.rising == len(informationTones) {
			return information
		}
		return nothing
	}
	sign := t.classifyTone(true)
	if t.gap++; t.rising == 0 || t.gap <= informationGap && sign == nothing {
		return sign
	}
	t.rising = 0
	if t.held {
		t.held = false
		return beep
	}
	return sign
}

// isFaxPitch reports whether the current tone has the pitch of an answering fax.
func (t *toneTracker) isFaxPitch() bool { return math.Abs(t.hz-cedTone) <= toneTolerance }

// informationTone returns which of the special information tones a pitch is; -1: none.
func informationTone(hz float64) int {
	for i, tone := range informationTones {
		if hz >= tone.low && hz <= tone.high {
			return i
		}
	}
	return -1
}

// classifyTone classifies the current tone. 2100 and 1100 Hz may become a fax while they last, and a tone of the pitch
// of one of the first two information tones waits for the next.
func (t *toneTracker) classifyTone(over bool) toneSign {
	which := informationTone(t.hz)
	isFax := t.isFaxPitch()
	isCNG := math.Abs(t.hz-cngTone) <= cngTolerance && t.spoken < speechFrames
	switch {
	case t.frames < beepFrames, !t.onset, math.Abs(t.hz-progressTone) <= toneTolerance:
		return nothing
	case isFax && t.frames >= faxFrames: // its level may change: ANSam (V.8) is modulated
		return fax
	case t.unsteady:
		return nothing
	case isCNG && over && t.frames >= cngFrames && t.frames <= cngLongest:
		return callingFax
	case !over && (isFax || isCNG && t.frames <= cngLongest):
		return nothing
	case !over && (which == 0 || which == 1) && t.frames <= faxFrames:
		return nothing
	}
	return beep
}

// findPureTone finds the one frequency that a frame consists of.
func findPureTone(in []int16, level float64) (hz float64, ok bool) {
	best, at := strongestPitch(in, level)
	if best < minToneShare-0.2 { // between two bins a pure tone loses no more
		return 0, false
	}
	energy := level * level * float64(len(in))
	middle := at
	for _, by := range []float64{-10, -5, 5, 10} {
		if p := goertzelPower(in, middle+by) / energy; p > best {
			best, at = p, middle+by
		}
	}
	return at, best > minToneShare
}

// strongestPitch is the part of a frame's energy at its strongest frequency, and that frequency in Hz.
func strongestPitch(in []int16, level float64) (part, hz float64) {
	energy := level * level * float64(len(in))
	for f := float64(minToneHz); f <= maxToneHz; f += step {
		if p := goertzelPower(in, f) / energy; p > part {
			part, hz = p, f
		}
	}
	return part, hz
}

// goertzelPower is the energy of a sound at one frequency (Goertzel), scaled so that it is all of a pure tone's.
func goertzelPower[T int16 | float64](in []T, hz float64) float64 {
	c := 2 * math.Cos(2*math.Pi*hz/rate)
	var s1, s2 float64
	for _, x := range in {
		s1, s2 = float64(x)+c*s1-s2, s1
	}
	return 2 * (s1*s1 + s2*s2 - c*s1*s2) / float64(len(in))
}
