// Package dtmf makes and detects dual-tone multi-frequency signals (DTMF, ITU-T Q.23) in the sound of a line: 16-bit
// PCM at 8000 samples per second. It knows no line, packet or session.
package dtmf

import (
	"math"
	"strings"
)

// The limits follow ITU-T Q.24 and the tests of Telcordia TR-TSY-000763.
const (
	hop    = 40      // samples from one window to the next: 5 ms
	window = 4 * hop // samples of a window: 20 ms

	// pressWindows is how many windows in a row are full of the tone of a pressed key. One of 40 ms fills five of them,
	// wherever it begins.
	pressWindows = 5
	// releaseWindows is how many windows in a row without the tone end a press: an interruption of 10 ms does not, a
	// pause of 40 ms does.
	releaseWindows = 5
	// muteWindows is how many windows in a row make the sound a tone that need not be passed on.
	muteWindows = 2
)

// ToneDetector finds the keys that are pressed in the sound of a line. The zero value is ready.
type ToneDetector struct {
	sound  [window]float64 // the latest samples
	filled int             // samples since the last window
	run    toneRun
	down   byte // the key that is pressed; 0: none
	gone   int  // windows since its tone was heard
}

// HearSound listens to the next samples. It returns the keys whose press was detected in them, and whether they hold a
// tone.
func (d *ToneDetector) HearSound(pcm []int16) (pressed []byte, tone bool) {
	for len(pcm) > 0 {
		n := min(hop-d.filled, len(pcm))
		copy(d.sound[:], d.sound[n:])
		for i, s := range pcm[:n] {
			d.sound[window-n+i] = float64(s)
		}
		pcm = pcm[n:]
		if d.filled += n; d.filled < hop {
			continue
		}
		d.filled = 0
		if key := d.lookAtWindow(); key != 0 {
			pressed = append(pressed, key)
		}
		tone = tone || d.down != 0 || d.run.windows >= muteWindows
	}
	return pressed, tone
}

// lookAtWindow looks at the latest window and returns the key whose press it completes; 0: none.
func (d *ToneDetector) lookAtWindow() byte {
	w, ok := measureWindow(&d.sound)
	if ok {
		d.run.addWindow(w)
	} else {
		d.run.windows = 0
	}
	switch {
	case d.down != 0 && ok && w.key() == d.down:
		d.gone = 0
	case d.down != 0:
		if d.gone++; d.gone >= releaseWindows {
			d.down = 0
		}
	}
	if key := d.run.key(); key != d.down && d.run.isPress() {
		d.down, d.gone = key, 0
		return key
	}
	return 0
}

const (
	rate = 8000 // samples per second
	// pad is the keypad, row by row.
	pad       = "123A456B789C*0#D"
	toneLevel = 4000 // amplitude of each of the two frequencies of a tone that is made
)

// The frequencies of the keypad's rows and columns in Hz.
var (
	rows    = [4]float64{697, 770, 852, 941}
	columns = [4]float64{1209, 1336, 1477, 1633}
)

// MakeTone returns the tone of a key, of so many samples; nil for a character that is no key.
func MakeTone(key byte, samples int) []int16 {
	at := strings.IndexByte(pad, key)
	if at < 0 {
		return nil
	}
	pcm := make([]int16, samples)
	for i := range pcm {
		turn := 2 * math.Pi * float64(i) / rate
		pcm[i] = int16(toneLevel * (math.Sin(rows[at/4]*turn) + math.Sin(columns[at%4]*turn)))
	}
	return pcm
}
