package crosstalk

import (
	"slices"

	"munadi/engine/audio"
)

const (
	shortest = 8 * rate // samples: in less the same click on both lines can be taken for an echo
	loudest  = 0.25     // gain of power from which channels are mixed rather than separate: −6 dB
	margin   = 6        // ratio of power up to which sound is the predicted echo: 8 dB
	decay    = 0.7      // of the prediction in each window, for reverberation
	shortGap = 4        // windows between two echoes that are echo, too
)

// EchoWindows says of each window of 32 ms of a channel whether it holds nothing but the other channel's echo.
type EchoWindows []bool

// FindEcho returns the windows of near that hold nothing but the echo of far; nil if there is no echo. Both halves of
// what far says must have it after the same delay: the same click on both lines is none.
func FindEcho(near, far *Track) EchoWindows {
	length := min(len(near.sound), len(far.sound))
	if length < shortest {
		return nil
	}
	whole := newCrossSpectrum()
	var delays [2]int
	middle := middleOfSound(far.sound[:length])
	for i, half := range [2][2]int{{0, middle}, {middle, length}} {
		s := newCrossSpectrum()
		s.addFrames(near.sound[half[0]:half[1]], far.sound[half[0]:half[1]])
		var found bool
		if delays[i], found = s.findDelay(); !found {
			return nil
		}
		whole.addSpectrum(s)
	}
	if d := delays[0] - delays[1]; max(d, -d) > sameDelay {
		return nil
	}
	gain, total := whole.measureGain(delays[0])
	if total > loudest {
		return nil
	}
	return near.compareLevels(far, gain, delays[0]/window)
}

// middleOfSound returns the sample before which half of the energy lies.
func middleOfSound(sound []float32) int {
	energy, passed := audio.SumSquares(sound), 0.0
	return slices.IndexFunc(sound, func(v float32) bool {
		passed += float64(v) * float64(v)
		return passed >= energy/2
	})
}

// compareLevels compares each window of a track with what is expected of the other's echo: gain is that of power, delay
// is in whole windows, rounded down.
func (t *Track) compareLevels(far *Track, gain [bands]float64, delay int) EchoWindows {
	echo := make(EchoWindows, len(t.levels))
	expected, last := 0.0, -shortGap-1
	for i, level := range t.levels {
		expected *= decay
		for j := max(0, i-delay-1); j <= i-delay && j < len(far.levels); j++ {
			expected = max(expected, far.levels[j].sumWith(gain))
		}
		if level.sumWith(unity) >= margin*expected {
			continue
		}
		first := i
		if i-last <= shortGap {
			first = last + 1
		}
		for j := first; j <= i; j++ {
			echo[j] = true
		}
		last = i
	}
	return echo
}

var unity = [bands]float64{1, 1, 1, 1}

// sumWith returns the sum of the bands with a gain for each.
func (p bandPower) sumWith(gain [bands]float64) (sum float64) {
	for b, v := range p {
		sum += float64(v) * gain[b]
	}
	return sum
}

// Silence returns src with the echo silenced.
func (w EchoWindows) Silence(src SampleSource) SampleSource {
	return &silencedSource{src: src, echo: w}
}

// silencedSource is a source without echo.
type silencedSource struct {
	src  SampleSource
	echo EchoWindows
	read int // samples
}

// Read implements [SampleSource].
func (s *silencedSource) Read(p []float32) (int, error) {
	n, err := s.src.Read(p)
	for i := range p[:n] {
		if at := (s.read + i) / (decimation * window); at < len(s.echo) && s.echo[at] {
			p[i] = 0
		}
	}
	s.read += n
	return n, err
}
