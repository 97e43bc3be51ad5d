package calls

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"munadi/ui/component"
)

// WaveformShape is the waveform of a recording: the peak of each of some equal intervals, in percent, per channel.
type WaveformShape struct {
	Seconds     float64
	Left, Right []int
}

// The picture of a shape, in its own units: the customer's half above the middle, the platform's below.
const (
	waveWidth  = 1200
	waveHeight = 120
	waveRoom   = 6 // margin at both edges
)

// barsPath returns the SVG path of one half. Heights are scaled by the square root, so that quiet speech is visible.
func (s WaveformShape) barsPath(heights []int, up bool) string {
	var d strings.Builder
	step := waveWidth / float64(max(len(heights), 1))
	for i, h := range heights {
		high := max(math.Sqrt(float64(h)/100)*(waveHeight/2-waveRoom), 0.5)
		if up {
			high = -high
		}
		fmt.Fprintf(&d, "M%.1f %dv%.1fh%.1fv%.1fz", float64(i)*step, waveHeight/2, high, step*0.66, -high)
	}
	return d.String()
}

// waveformTurn marks the time of a turn in the waveform.
type waveformTurn struct{ X, Y, Width, Who, Title string }

// waveformTurns returns the turns as marks in the waveform.
func (p CallView) waveformTurns() []waveformTurn {
	all := make([]waveformTurn, 0, len(p.Turns))
	for _, m := range p.Turns {
		t := waveformTurn{
			X: waveformX(m.Start, p.Shape), Width: waveformX(max(m.End-m.Start, 0), p.Shape),
			Who: "assistant", Y: strconv.Itoa(waveHeight / 2),
			Title: component.FormatClock(int(m.Start)) + " " + CallPlatform.In(p.Lang),
		}
		if m.isCustomers() {
			t.Who, t.Y, t.Title = "user", "0", component.FormatClock(int(m.Start))+" "+CallCustomer.In(p.Lang)
		}
		all = append(all, t)
	}
	return all
}

// waveformX returns the x coordinate of a time in the picture.
func waveformX(seconds float64, s WaveformShape) string {
	return strconv.FormatFloat(min(seconds/max(s.Seconds, 0.1), 1)*waveWidth, 'f', 1, 64)
}

// waveformSummary describes the waveform in words: how long and how often each side spoke.
func (p CallView) waveformSummary() string {
	turns, spoke := [2]int{}, [2]float64{}
	for _, m := range p.Turns {
		side := 0
		if m.isCustomers() {
			side = 1
		}
		turns[side]++
		spoke[side] += m.End - m.Start
	}
	side := func(name string, i int) string {
		return CallHeard.In(p.Lang).Fill(turns[i], "who", name, "time", component.FormatClock(int(spoke[i])))
	}
	return CallWave.In(p.Lang) + ": " + side(CallPlatform.In(p.Lang), 0) + "; " + side(
		CallCustomer.In(p.Lang), 1,
	)
}
