package audio

// StreamResampler converts a stream of mono samples from one rate to another by any rational ratio: a windowed sinc
// low-pass (Kaiser, 32 zero crossings a side) evaluated at the output instants (polyphase; J. O. Smith, "Digital
// Audio Resampling"). Output sample 0 coincides with input sample 0: there is no delay. Memory is
// constant.
type StreamResampler struct {
	up, down int         // output and input samples per common period: rates divided by their gcd
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
	for ; r.next+r.half < len(r.buf) && most != 0; most-- {
		window := r.buf[r.next-r.half+1 : r.next+r.half+1]
		dst = append(dst, r.outputSample(window))
		r.out++
		r.phase += r.down
		r.next += r.phase / r.up
		r.phase %= r.up
	}
	if drop := min(r.next-r.half+1, len(r.buf)); drop > 0 {
		r.buf = r.buf[:copy(r.buf, r.buf[drop:])]
		r.next -= drop
	}
	return dst
}

// outputSample returns one output sample, window being the 2*half input samples around it.
func (r *StreamResampler) outputSample(window []float32) float32 {
	if !r.blend {
		return dotProduct(r.rows[r.phase], window)
	}
	place := float32(r.phase) / float32(r.up) * maxPhases
	row := int(place)
	near, far := dotProduct(r.rows[row], window), dotProduct(r.rows[row+1], window)
	return near + (far-near)*(place-float32(row))
}

// dotProduct returns the inner product of two vectors of equal length; eight accumulators allow parallel
// additions.
func dotProduct(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		s4 += a[4] * b[4]
		s5 += a[5] * b[5]
		s6 += a[6] * b[6]
		s7 += a[7] * b[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3) + (s4 + s5) + (s6 + s7)
}

func greatestDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
