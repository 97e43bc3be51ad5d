package amd

import "time"

const (
	window         = 640 // samples, 80 ms, which resolve two pitches 40 Hz apart
	minToneEnergy  = 0.8 // minimum share of the window's energy at the pitches of a progress tone
	shortOn        = 5   // frames of the shortest busy burst, less its edges
	longOn         = 40  // frames of the longest busy burst, 0.8 s; a longer burst is ringing
	maxRingFrames  = 160 // frames of the longest ringing burst
	shortOff       = 3   // frames of the shortest busy pause
	longOff        = 60  // frames of the shortest ringing pause, 1.2 s
	dialToneFrames = 150 // 3 s without a pause: a dial tone
	minBusyBursts  = 3   // minimum number of bursts in a busy tone
	latest         = 7 * time.Second
)

// progressTones are the pitches of call progress tones (ITU-T E.180 Supplement 2), Hz.
var progressTones = [][]float64{{425}, {400}, {450}, {400, 450}, {440, 480}, {480, 620}, {350, 440}}

// lineState is the state that call progress tones signal.
type lineState int

const (
	unknownState lineState = iota
	lineBusy
	lineRinging
)

// cadenceTracker follows bursts of call progress tones. Any other sound resets it.
type cadenceTracker struct {
	sound  [window]float64
	filled int
	on     int // frames of the current burst
	off    int // frames of the current pause
	short  int // busy bursts in a row
	rings  int // long bursts, or short ones before a long pause
	spoken bool
}

// pushFrame processes one frame of 20 ms.
func (t *cadenceTracker) pushFrame(in []int16, at time.Duration) lineState {
	copy(t.sound[:], t.sound[len(in):])
	for i, s := range in {
		t.sound[window-len(in)+i] = float64(s)
	}
	t.filled = min(t.filled+len(in), window)
	switch level := rmsLevel(in); {
	case level < minToneLevel:
		t.pushPause()
	case t.filled == window && t.isProgressTone():
		t.pushTone()
	case t.on > 0 || t.off > 2 || t.filled < window: // the edge of a burst fills the window in part
		t.filled = min(t.filled, window)
		return unknownState
	default:
		*t = cadenceTracker{sound: t.sound, filled: t.filled, spoken: t.spoken}
	}
	return t.state(at)
}

func (t *cadenceTracker) pushTone() {
	if t.on == 0 && t.off >= longOff && t.short > 0 {
		t.rings, t.short = t.rings+1, 0
	}
	t.on, t.off = t.on+1, 0
}

func (t *cadenceTracker) pushPause() {
	switch {
	case t.on >= shortOn && t.on <= longOn:
		t.short++
	case t.on > longOn && t.on <= maxRingFrames:
		t.rings++
	}
	t.on, t.off = 0, t.off+1
}

func (t *cadenceTracker) state(at time.Duration) lineState {
	switch {
	case t.short >= minBusyBursts && t.rings == 0, t.on >= dialToneFrames:
		return lineBusy
	case t.rings > 0 && t.on >= shortOn, t.rings > 0 && at >= latest && !t.spoken:
		return lineRinging
	}
	return unknownState
}

// isProgressTone reports whether the window holds only a progress tone.
func (t *cadenceTracker) isProgressTone() bool {
	energy := 0.0
	for _, s := range t.sound {
		energy += s * s
	}
	for _, tone := range progressTones {
		power := 0.0
		for _, hz := range tone {
			power += goertzelPower(t.sound[:], hz)
		}
		if power > minToneEnergy*energy {
			return true
		}
	}
	return false
}
