package conversation

import (
	"math"
	"time"

	"munadi/appliance/carrier"
)

const (
	// echoStep is the decimation of the sound that is compared: 2 kHz hold the strongest part of a voice.
	echoStep = 4
	echoRate = carrier.Rate / echoStep
	// echoDelay is the longest delay of an echo, and echoSpan how much of it is compared.
	echoDelay = 500 * time.Millisecond
	echoSpan  = 120 * time.Millisecond
	// echoLikeness is the correlation from which sound is the echo of the prompt, if it is echoLoss quieter at least.
	echoLikeness = 0.6
	echoLoss     = 0.35 // of its amplitude: 9 dB
	// echoHold is how long a verdict holds.
	echoHold = 60 * time.Millisecond
	// echoShare is the share of such verdicts from which a turn is an echo; quieter sound than quietLevel counts for none.
	echoShare  = 0.6
	quietLevel = 50
)

// echoDetector compares what comes from the line with what was sent (normalized cross-correlation).
type echoDetector struct {
	in, out []float64 // the latest sound at echoRate
	judged  int       // frames since the verdict
	verdict bool
	echoed  int // verdicts in the current turn that it is an echo
	all     int // of all its verdicts
}

// pushFrame takes a frame of both directions; speaking means that somebody seems to speak.
func (e *echoDetector) pushFrame(in, out []int16, speaking bool) {
	e.in = keepLatest(appendDecimated(e.in, in), int(echoSpan*echoRate/time.Second))
	e.out = keepLatest(appendDecimated(e.out, out), int((echoSpan+echoDelay)*echoRate/time.Second))
	e.judged++
	if !speaking {
		e.echoed, e.all = 0, 0
		return
	}
	if e.isEcho(); e.judged == 0 && levelOf(e.in) >= quietLevel {
		e.all++
		if e.verdict {
			e.echoed++
		}
	}
}

// takeShare returns the share of the turn that was an echo.
func (e *echoDetector) takeShare() float64 {
	share := float64(e.echoed) / float64(max(1, e.all))
	e.echoed, e.all = 0, 0
	return share
}

func levelOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(1, len(x))))
}

func appendDecimated(to []float64, pcm []int16) []float64 {
	for i := 0; i+echoStep <= len(pcm); i += echoStep {
		sum := 0.0
		for _, v := range pcm[i : i+echoStep] {
			sum += float64(v)
		}
		to = append(to, sum/echoStep)
	}
	return to
}

func keepLatest(x []float64, n int) []float64 {
	if len(x) > n {
		x = x[:copy(x, x[len(x)-n:])]
	}
	return x
}

// isEcho reports whether the latest sound from the line is the echo of what was sent.
func (e *echoDetector) isEcho() bool {
	if time.Duration(e.judged)*carrier.Tick >= echoHold {
		e.judged, e.verdict = 0, e.correlate()
	}
	return e.verdict
}

// correlate looks for the delay at which the sound is most like what was sent.
func (e *echoDetector) correlate() bool {
	n := len(e.in)
	energy := 0.0
	for _, v := range e.in {
		energy += v * v
	}
	if energy == 0 || n == 0 {
		return false
	}
	for from := len(e.out) - n; from >= 0; from-- {
		dot, sent := 0.0, 0.0
		for i, v := range e.out[from : from+n] {
			dot += v * e.in[i]
			sent += v * v
		}
		if energy < echoLoss*echoLoss*sent && math.Abs(dot) > echoLikeness*math.Sqrt(energy*sent) {
			return true
		}
	}
	return false
}
