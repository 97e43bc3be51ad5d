// Package dtmf makes and detects dual-tone multi-frequency signals (DTMF, ITU-T Q.23) in the sound of a line: 16-bit
// PCM at 8000 samples per second. It knows no line, packet or session.
package dtmf

import (
	"math"
	"strings"
)

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
