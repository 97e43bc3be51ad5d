package conversation

import (
	"math"
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
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
	if e.isEcho(); e.judged == 0 && audio.MeasureRMS(e.in) >= quietLevel {
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

// correlate reports whether there is a delay at which the sound is like what was sent. All sums are exact, whatever
// their order: samples are multiples of 1/4 up to 2^15, so that a product has 34 bits and a sum of 1,240 of them 45.
func (e *echoDetector) correlate() bool {
	n := len(e.in)
	energy, last := audio.SumSquares(e.in), len(e.out)-n
	if energy == 0 || last < 0 {
		return false
	}
	sent := audio.SumSquares(e.out[:n]) // of the delay that begins at 0
	// What was sent at up to four delays, whose products do not wait for each other, with its energy.
	delayed, loud, waiting := [4][]float64{e.in, e.in, e.in, e.in}, [4]float64{}, 0
	for at := 0; at <= last; at++ {
		if energy < echoLoss*echoLoss*sent {
			delayed[waiting], loud[waiting] = e.out[at:at+n], sent
			waiting++
		}
		if waiting == len(delayed) || at == last && waiting > 0 {
			for k, dot := range dotProducts(e.in, delayed) {
				if k < waiting && math.Abs(dot) > echoLikeness*math.Sqrt(energy*loud[k]) {
					return true
				}
			}
			waiting = 0
		}
		if at < last {
			sent += e.out[at+n]*e.out[at+n] - e.out[at]*e.out[at]
		}
	}
	return false
}

// dotProducts returns the inner products of a vector with four others of its length.
func dotProducts(x []float64, y [4][]float64) [4]float64 {
	a, b, c, d := y[0][:len(x)], y[1][:len(x)], y[2][:len(x)], y[3][:len(x)]
	var s0, s1, s2, s3 float64
	for i, v := range x {
		s0, s1, s2, s3 = s0+v*a[i], s1+v*b[i], s2+v*c[i], s3+v*d[i]
	}
	return [4]float64{s0, s1, s2, s3}
}
