package bridge

import (
	"math"
	"sync"
	"time"

	"munadi/appliance/carrier"
)

// The hold tone: two soft notes, then a pause, so that who waits knows that the line is alive.
const (
	noteLength  = 350 * time.Millisecond
	tonePeriod  = 1500 * time.Millisecond // from one pair of notes to the next
	toneLevel   = 1500                    // peak of a note, -27 dBFS
	lowNote     = 440.0                   // Hz
	highNote    = 554.4
	toneFade    = 30 * time.Millisecond  // at both ends of a note, against clicks
	toneAhead   = 200 * time.Millisecond // of tone that is queued before it is played
	toneSamples = int(tonePeriod * carrier.Rate / time.Second)
)

// holdPeriod is one period of the hold tone at [carrier.Rate].
var holdPeriod = sync.OnceValue(func() []int16 {
	pcm := make([]int16, toneSamples)
	length := int(noteLength * carrier.Rate / time.Second)
	addNote(pcm[:length], lowNote)
	addNote(pcm[length:2*length], highNote)
	return pcm
})

// addNote writes a note with faded ends.
func addNote(pcm []int16, hz float64) {
	fade := float64(toneFade * carrier.Rate / time.Second)
	for i := range pcm {
		edge := math.Min(1, math.Min(float64(i), float64(len(pcm)-1-i))/fade)
		pcm[i] = int16(toneLevel * edge * math.Sin(2*math.Pi*hz*float64(i)/carrier.Rate))
	}
}

// HoldTone is the hold tone on one line. The zero value begins with a note.
type HoldTone struct{ at int }

// PlayOn keeps the tone queued on a line; call it with each of the line's frames. A line that has ended queues nothing.
func (t *HoldTone) PlayOn(l carrier.Line) {
	if missing := toneAhead - l.Queued(); missing > 0 {
		frames := int((missing + carrier.Tick - 1) / carrier.Tick)
		l.Say(carrier.Speech{PCM: t.next(frames * carrier.Samples)})
	}
}

// PlayAll queues so much of the tone at once, for a wait during which no frames are read.
func (t *HoldTone) PlayAll(l carrier.Line, d time.Duration) {
	l.Say(carrier.Speech{PCM: t.next(int(d * carrier.Rate / time.Second))})
}

// next returns the next samples of the tone.
func (t *HoldTone) next(n int) []int16 {
	period := holdPeriod()
	pcm := make([]int16, n)
	for i := range pcm {
		pcm[i] = period[(t.at+i)%len(period)]
	}
	t.at = (t.at + n) % len(period)
	return pcm
}
