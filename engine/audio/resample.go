package audio

import (
	"math"

	"munadi/engine/kernel"
)

// StreamResampler converts a stream of mono samples from one rate to another by any rational ratio: a windowed sinc
// low-pass (Kaiser, 32 zero crossings a side) evaluated at the output instants (polyphase; J. O. Smith, "Digital
// Audio Resampling"). Output sample 0 coincides with input sample 0: there is no delay. Memory is
// constant.
type StreamResampler struct {
	up, down int         // output and input samples per common period: rates divided by their gcd
	step     int         // input samples from one output to the next, whole ones
	turn     int         // and the rest, in 1/up input samples
	half     int         // taps on each side of the output instant
	rows     [][]float32 // filter by phase: [up or maxPhases+1][2*half]
	blend    bool        // fewer rows than phases: two neighbours are interpolated
	buf      []float32   // unconsumed input, with half samples of history
	next     int         // index in buf of the input sample at or before the next output
	phase    int         // of the next output beyond buf[next], in 1/up input samples
	in, out  int64       // samples read and written
}

// NewResampler converts from one rate to another, both positive, in samples per second.
func NewResampler(from, to int) *StreamResampler {
	g := greatestDivisor(from, to)
	r := &StreamResampler{up: to / g, down: from / g}
	r.step, r.turn = r.down/r.up, r.down%r.up
	if r.up != r.down {
		r.rows, r.half, r.blend = kaiserRows(r.up, r.down)
		r.buf = make([]float32, 0, 4*r.half)
	}
	r.resetState()
	return r
}

// resetState prepares for another stream with the same rates.
func (r *StreamResampler) resetState() {
	r.phase, r.in, r.out = 0, 0, 0
	if r.rows != nil {
		r.buf = append(r.buf[:0], make([]float32, r.half-1)...)
		r.next = r.half - 1
	}
}

// Push adds input samples and appends the output samples that they complete to dst.
func (r *StreamResampler) Push(dst, src []float32) []float32 {
	r.in += int64(len(src))
	if r.up == r.down {
		r.out += int64(len(src))
		return append(dst, src...)
	}
	return r.resampleInto(dst, src, -1)
}

// Flush appends the remaining output, as if silence followed: n input samples give ceil(n·to/from) outputs in all.
func (r *StreamResampler) Flush(dst []float32) []float32 {
	if r.up == r.down {
		return dst
	}
	up, down := int64(r.up), int64(r.down)
	want := (r.in*up + down - 1) / down
	return r.resampleInto(dst, make([]float32, 2*r.half), want-r.out)
}

// resampleInto adds src to the input and appends at most most output samples (-1: all) to dst.
func (r *StreamResampler) resampleInto(dst, src []float32, most int64) []float32 {
	r.buf = append(r.buf, src...)
	var rows, windows [4][]float32 // of up to four products at once; the others are computed in vain
	var sums [4]float32
	for r.isDue() && most != 0 {
		if r.blend {
			dst = append(dst, r.blendedSample())
			r.moveOn()
			most--
			continue
		}
		n := 0
		for ; n < len(rows) && r.isDue() && most != 0; n++ {
			rows[n], windows[n] = r.rows[r.phase], r.window()
			r.moveOn()
			most--
		}
		for k := n; k < len(rows); k++ {
			rows[k], windows[k] = rows[0], windows[0]
		}
		kernel.DotProducts4(&sums, &rows, &windows)
		dst = append(dst, sums[:n]...)
	}
	if drop := min(r.next-r.half+1, len(r.buf)); drop > 0 {
		r.buf = r.buf[:copy(r.buf, r.buf[drop:])]
		r.next -= drop
	}
	return dst
}

// isDue reports whether the input of the next output sample is complete.
func (r *StreamResampler) isDue() bool { return r.next+r.half < len(r.buf) }

// window returns the 2*half input samples around the next output sample.
func (r *StreamResampler) window() []float32 { return r.buf[r.next-r.half+1 : r.next+r.half+1] }

// moveOn goes to the next output sample.
func (r *StreamResampler) moveOn() {
	r.out++
	r.next += r.step
	if r.phase += r.turn; r.phase >= r.up {
		r.phase -= r.up
		r.next++
	}
}

// blendedSample returns the next output sample between the filters of two phases.
func (r *StreamResampler) blendedSample() float32 {
	place := float32(r.phase) / float32(r.up) * maxPhases
	row, window := int(place), r.window()
	rows := [4][]float32{r.rows[row], r.rows[row+1], r.rows[row], r.rows[row]}
	var sums [4]float32
	kernel.DotProducts4(&sums, &rows, &[4][]float32{window, window, window, window})
	return sums[0] + float32((sums[1]-sums[0])*(place-float32(row)))
}

func greatestDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

const (
	zeroCrossings = 32   // of the sinc, on each side
	kaiserBeta    = 10   // about 100 dB of stop band
	rolloff       = 0.92 // of the lower Nyquist frequency: the -6 dB point
	maxPhases     = 512  // rows of the table; for more phases neighbouring rows are interpolated
)

// kaiserRows returns the low-pass filter by phase, [phases][2*half]: row p for an output at p/phases after the window's
// sample half-1. Each row sums to one, so that a constant signal is unchanged.
func kaiserRows(up, down int) (rows [][]float32, half int, blend bool) {
	cut := min(1, float64(up)/float64(down)) // of the input's Nyquist frequency
	width := zeroCrossings / cut
	half = int(math.Ceil(width))
	phases, count := up, up
	if blend = up > maxPhases; blend {
		phases, count = maxPhases, maxPhases+1
	}
	rows = make([][]float32, count)
	for p := range rows {
		rows[p] = kaiserRow(float64(p)/float64(phases), cut*rolloff, width, half)
	}
	return rows, half, blend
}

// kaiserRow returns the windowed sinc sampled around an output at offset samples after the window's sample half-1.
func kaiserRow(offset, cut, width float64, half int) []float32 {
	taps := make([]float64, 2*half)
	sum := 0.0
	for k := range taps {
		d := float64(k-half+1) - offset
		if u := d / width; u > -1 && u < 1 {
			taps[k] = sinc(cut*d) * bessel0(kaiserBeta*math.Sqrt(1-u*u))
			sum += taps[k]
		}
	}
	row := make([]float32, len(taps))
	for k, v := range taps {
		row[k] = float32(v / sum)
	}
	return row
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	x *= math.Pi
	return math.Sin(x) / x
}

// bessel0 returns the modified Bessel function I0 (Abramowitz and Stegun 9.6.12), by its series.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-12; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
