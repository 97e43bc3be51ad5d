package amd

import (
	"math"
	"slices"
	"time"

	"munadi/engine/audio"
)

const (
	window         = 640  // samples, 80 ms
	gridStep       = 12.5 // Hz: pitches this far apart are orthogonal over a window
	edgeFrames     = 5    // frames at the edge of a burst, which fills their window in part
	minToneEnergy  = 0.8  // minimum share of the window's energy at the pitches of a progress tone
	shortOn        = 5    // frames of the shortest busy burst, less its edges
	longOn         = 40   // frames of the longest busy burst, 0.8 s; a longer burst is ringing
	maxRingFrames  = 160  // frames of the longest ringing burst
	quietShare     = 0.2  // share of the tone's level below which a frame is a pause
	longOff        = 60   // frames of the shortest ringing pause, 1.2 s
	dialToneFrames = 150  // 3 s without a pause: a dial tone
	minBusyBursts  = 2    // number of busy bursts after which the next one is decisive
	slowBurst      = 28   // frames of a burst so long that two decide: three take longer than 3 s
	fastCycle      = 31   // frames of the longest cycle, burst and pause, of congestion: 0.62 s (fast busy)
	cycleTolerance = 3    // frames by which two cycles, or the bursts of busy, may differ
	minDuty        = 0.3  // minimum share of a burst in its cycle; of words said again and again it is less
	maxUnsteady    = 1.4  // maximum ratio of the loudest to the softest frame of a burst: voices change more
	latest         = 7 * time.Second
)

// progressTones are the pitches of call progress tones (ITU-T E.180 Supplement 2) in steps of gridStep: 425, 400 or 450
// Hz, 400 and 450, 440 and 480, 480 and 620, 350 and 440. Most of the Arab world uses 425, North America 480 and 620.
var progressTones = [][]int{{34}, {32}, {36}, {32, 36}, {35, 38}, {38, 50}, {28, 35}}

// lineState is the state that call progress tones signal.
type lineState int

const (
	unknownState lineState = iota
	lineBusy
	lineCongested
	lineRinging
)

// cadenceTracker follows bursts of call progress tones. Any other sound resets it.
type cadenceTracker struct {
	sound  [window]float64
	filled int
	level  float64 // of the loudest frame of the tone
	least  float64 // levels of the softest and the loudest frame of the burst, without its last
	most   float64
	last   float64 // level of the last frame of the burst
	on     int     // frames of the current burst
	off    int     // frames of the current pause
	edge   int     // loud frames in a row that are no tone
	cycle  int     // frames since the last busy burst began
	cycles [2]int  // lengths of the last two cycles, the latest first
	bursts [2]int  // lengths of the last two busy bursts, the latest first
	short  int     // busy bursts in a row
	rings  int     // long bursts, or short ones before a long pause
	spoken bool
}

// pushFrame processes one frame of 20 ms.
func (t *cadenceTracker) pushFrame(in []int16, at time.Duration) lineState {
	copy(t.sound[:], t.sound[len(in):])
	for i, s := range in {
		t.sound[window-len(in)+i] = float64(s)
	}
	t.filled = min(t.filled+len(in), window)
	t.cycle++
	switch level := audio.MeasureRMS(in); {
	case level < max(minToneLevel, quietShare*t.level):
		t.pushPause()
	case t.filled == window && t.isProgressTone():
		t.pushTone(level)
	case t.edge < edgeFrames:
		t.edge++
		return unknownState
	default:
		t.resetCadence()
	}
	return t.state(at)
}

func (t *cadenceTracker) resetCadence() {
	*t = cadenceTracker{sound: t.sound, filled: t.filled, spoken: t.spoken}
}

func (t *cadenceTracker) pushTone(level float64) {
	if t.on == 0 {
		if t.off >= longOff && t.short > 0 {
			t.rings, t.short = t.rings+1, 0
		}
		t.cycles, t.cycle = [2]int{t.cycle, t.cycles[0]}, 0
		t.least, t.most = math.Inf(1), 0
	} else {
		t.least, t.most = min(t.least, t.last), max(t.most, t.last)
	}
	t.on, t.off, t.edge, t.level, t.last = t.on+1, 0, 0, max(t.level, level), level
}

func (t *cadenceTracker) pushPause() {
	switch {
	case t.on > 0 && t.most > maxUnsteady*t.least:
		t.resetCadence()
	case t.on >= shortOn && t.on <= longOn:
		t.short++
		t.bursts = [2]int{t.on, t.bursts[0]}
	case t.on > longOn && t.on <= maxRingFrames:
		t.rings++
	}
	t.on, t.off, t.edge = 0, t.off+1, 0
}

func (t *cadenceTracker) state(at time.Duration) lineState {
	switch {
	case t.on >= dialToneFrames:
		return lineBusy
	case t.rings == 0 && t.short >= minBusyBursts && (t.on >= shortOn && t.isRegular() || t.isSlowBusy()):
		if t.cycles[0] <= fastCycle || !isNear(t.bursts[0], t.bursts[1]) { // congestion with bursts of two lengths is British
			return lineCongested
		}
		return lineBusy
	case t.rings > 0 && t.on >= shortOn, t.rings > 0 && at >= latest && !t.spoken:
		return lineRinging
	}
	return unknownState
}

// isRegular reports whether the last two cycles are equally long, and their bursts a large part of them.
func (t *cadenceTracker) isRegular() bool {
	return isNear(t.cycles[0], t.cycles[1]) &&
		float64(min(t.bursts[0], t.bursts[1])+edgeFrames-1) >= minDuty*float64(t.cycles[0])
}

// isSlowBusy reports whether the last two bursts are long, equal, and as long as the pause between them.
func (t *cadenceTracker) isSlowBusy() bool {
	a, b := t.bursts[0], t.bursts[1]
	pause := t.cycles[0] - b
	return min(a, b) >= slowBurst && isNear(a, b) && 2*pause <= 3*a && 3*pause >= 2*a
}

func isNear(a, b int) bool { return max(a-b, b-a) <= cycleTolerance }

// isProgressTone reports whether the window holds only a progress tone, which may miss its pitches by 15 Hz.
func (t *cadenceTracker) isProgressTone() bool {
	energy := 0.0
	for _, s := range t.sound {
		energy += s * s
	}
	powers := map[int]float64{}
	return slices.ContainsFunc(progressTones, func(tone []int) bool {
		sum := 0.0
		for _, pitch := range tone {
			for step := pitch - 1; step <= pitch+1; step++ {
				power, known := powers[step]
				if !known {
					power = goertzelPower(t.sound[:], gridStep*float64(step))
					powers[step] = power
				}
				sum += power
			}
		}
		return sum > minToneEnergy*energy
	})
}
