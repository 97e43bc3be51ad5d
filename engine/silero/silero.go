// Package silero computes Silero's voice activity network for 16 kHz (silero-vad 6.2.3, MIT) on the products of package
// kernel: the spectrum of a window's four frames, four convolutions, an LSTM and the output. A window of live sound
// takes a quarter of the time of a call of ONNX Runtime, most of which is preparation; many windows in one call take
// ONNX Runtime half the time that they take here. A probability does not depend on how many windows a call has, to the
// bit.
//
// It is independent of ONNX Runtime and files; package model reads the weights.
package silero

import (
	"context"
	"errors"
	"math"
	"sync"

	"munadi/engine/kernel"
)

// Sizes of the network, in samples and channels.
const (
	Input    = 576 // samples of a window with its context
	Part     = 256 // samples of a short-time spectrum
	Bins     = Part/2 + 1
	Hidden   = 128 // of the LSTM
	Channels = 64  // between the convolutions
	Taps     = 3   // of a convolution

	Hop    = 128
	Frames = 4 // spectra of a window

	half  = Part / 2
	batch = 8 // windows computed together, whose values stay in the processor's second cache
)

// Weights are the network's weights, row by row.
type Weights struct {
	Basis        []float32    // [2·Bins, Part]: cosines, then sines, windowed
	Conv         [4][]float32 // [out, in, Taps]
	Bias         [4][]float32 // [out]
	LSTM, Feed   []float32    // [4·Hidden, Hidden] of the input and of the hidden state, gates in ONNX's order
	Gates        []float32    // [8·Hidden], biases of both
	Out, OutBias []float32    // [Hidden], [1]
}

// Network is the network. It is safe for concurrent use.
type Network struct {
	even, odd   []float32 // [Bins, half], folded basis
	layers      [4]convolution
	input, feed []float32
	gates       []float32 // [4·Hidden]
	out         []float32
	outBias     float32
	scratch     sync.Pool // of *workspace
}

// convolution is a convolution of three taps and padding of one frame as a product: weights [outs, Taps·ins].
type convolution struct {
	weights, bias []float32
	ins, outs     int
	stride        int
}

// workspace holds the values of up to batch windows.
type workspace struct {
	sums, differences []float32 // [frames, half]
	cosines, sines    []float32 // [frames, Bins]
	x, y              []float32 // values between layers, [frames, channels]
	columns           []float32 // input of a convolution, [frames, Taps·channels]
	gates             []float32 // [windows, 4·Hidden]
	step              []float32 // [4·Hidden], gates of one window
	last              []float32 // [Hidden]
}

func newWorkspace() any {
	const n = batch * Frames
	return &workspace{
		sums: make([]float32, n*half), differences: make([]float32, n*half),
		cosines: make([]float32, n*Bins), sines: make([]float32, n*Bins),
		x: make([]float32, n*Bins), y: make([]float32, n*Hidden), columns: make([]float32, n*Taps*Bins),
		gates: make([]float32, batch*4*Hidden), step: make([]float32, 4*Hidden), last: make([]float32, Hidden),
	}
}

// NewNetwork returns the network with these weights, whose shapes are given and whose basis is symmetric: the spectrum
// is computed from sums and differences of samples at equal distances from a frame's middle, since cosines are even and
// sines odd about it.
func NewNetwork(w Weights) *Network {
	n := &Network{
		even: w.FoldedBasis(0), odd: w.FoldedBasis(Bins), input: w.LSTM, feed: w.Feed, out: w.Out, outBias: w.OutBias[0],
		gates: make([]float32, 4*Hidden), scratch: sync.Pool{New: newWorkspace},
	}
	for i := range n.gates {
		n.gates[i] = w.Gates[i] + w.Gates[4*Hidden+i]
	}
	for i, stride := range [...]int{1, 2, 2, 1} {
		n.layers[i] = newConvolution(w.Conv[i], w.Bias[i], stride)
	}
	return n
}

// CheckSymmetry checks that cosines are even and sines odd about the middle of a frame, and that its first sample has
// no weight.
func (w *Weights) CheckSymmetry() error {
	for row := range 2 * Bins {
		b, sign := w.Basis[row*Part:(row+1)*Part], float32(1)
		if row >= Bins {
			sign = -1
		}
		for n := 1; n <= half; n++ {
			if math.Abs(float64(b[n]-sign*b[Part-n])) > 1e-6 {
				return errors.New("the basis of its spectrum is not symmetric")
			}
		}
		if b[0] != 0 {
			return errors.New("the window of its spectrum does not begin with 0")
		}
	}
	return nil
}

// FoldedBasis returns the columns 1 … half of Bins rows of the basis, from row on. The middle sample is added to
// itself, or subtracted from itself, so its weight is halved.
func (w *Weights) FoldedBasis(row int) []float32 {
	out := make([]float32, 0, Bins*half)
	for k := range Bins {
		out = append(out, w.Basis[(row+k)*Part+1:][:half]...)
		out[len(out)-1] /= 2
	}
	return out
}

// newConvolution orders weights [outs, ins, Taps] by taps, then channels.
func newConvolution(weights, bias []float32, stride int) convolution {
	c := convolution{bias: bias, outs: len(bias), ins: len(weights) / Taps / len(bias), stride: stride}
	c.weights = make([]float32, len(weights))
	for o := range c.outs {
		for i := range c.ins {
			for t := range Taps {
				c.weights[(o*Taps+t)*c.ins+i] = weights[(o*c.ins+i)*Taps+t]
			}
		}
	}
	return c
}

// RunVAD takes windows of 576 samples, input [windows, 576], and the LSTM's state h, c [128], which it leaves; it
// returns a speech probability per window and the state after the last one.
func (n *Network) RunVAD(ctx context.Context, input []float32, windows int, h, c []float32) (
	probs, hn, cn []float32, err error,
) {
	if len(input) != windows*Input || len(h) != Hidden || len(c) != Hidden {
		return nil, nil, nil, errors.New("voice activity: input of another shape")
	}
	w := n.scratch.Get().(*workspace)
	defer n.scratch.Put(w)
	values := make([]float32, 2*Hidden+windows)
	hn, cn, probs = values[:Hidden:Hidden], values[Hidden:2*Hidden:2*Hidden], values[2*Hidden:]
	copy(hn, h)
	copy(cn, c)
	for done := 0; done < windows; done += batch {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		m := min(batch, windows-done)
		n.encodeWindows(w, input[done*Input:], m)
		for i := range m {
			probs[done+i] = n.stepLSTM(w, i, hn, cn)
		}
	}
	return probs, hn, cn, nil
}

// encodeWindows computes the LSTM's gates of m windows, as far as they depend on the input.
func (n *Network) encodeWindows(w *workspace, input []float32, m int) {
	n.computeSpectra(w, input, m)
	x, y, length := w.x, w.y, Frames
	for i := range n.layers {
		length = n.layers[i].convolve(y, x, w.columns, m, length)
		x, y = y, x
	}
	kernel.MatVecBatch(w.gates[:m*4*Hidden], n.input, x[:m*Hidden], n.gates, m, 4*Hidden, Hidden)
}

// computeSpectra writes the magnitudes of the four spectra of m windows to x [m·4, Bins].
func (n *Network) computeSpectra(w *workspace, input []float32, m int) {
	total := m * Frames
	for i := range total {
		foldFrame(w.sums[i*half:][:half], w.differences[i*half:][:half], input[i/Frames*Input:][:Input], i%Frames*Hop)
	}
	kernel.MatVecBatch(w.cosines[:total*Bins], n.even, w.sums[:total*half], nil, total, Bins, half)
	kernel.MatVecBatch(w.sines[:total*Bins], n.odd, w.differences[:total*half], nil, total, Bins, half)
	x, sines := w.x[:total*Bins], w.sines[:total*Bins]
	for i, c := range w.cosines[:len(x)] {
		x[i] = float32(math.Sqrt(float64(c*c + sines[i]*sines[i])))
	}
}

// foldFrame writes the sums and differences of the samples of a frame that begins at start, at equal distances from its
// middle: samples n and Part-n. Beyond the window's end the signal is reflected about its last sample.
func foldFrame(sums, differences, window []float32, start int) {
	for i := range sums {
		at := start + Part - 1 - i
		if at >= Input {
			at = 2*(Input-1) - at
		}
		a, b := window[start+1+i], window[at]
		sums[i], differences[i] = a+b, a-b
	}
}

// convolve computes the layer of m windows of length frames, x [m·length, ins], with ReLU: y [m·frames, outs]. It
// returns the number of frames.
func (c *convolution) convolve(y, x, columns []float32, m, length int) int {
	next := (length + c.stride - 1) / c.stride
	width := Taps * c.ins
	for i := range m * next {
		column := columns[i*width:][:width]
		window := x[i/next*length*c.ins:][:length*c.ins]
		for t := range Taps {
			at, tap := i%next*c.stride+t-1, column[t*c.ins:][:c.ins]
			if at < 0 || at >= length {
				clear(tap)
			} else {
				copy(tap, window[at*c.ins:])
			}
		}
	}
	y = y[:m*next*c.outs]
	kernel.MatVecBatch(y, c.weights, columns[:m*next*width], c.bias, m*next, c.outs, width)
	rectify(y)
	return next
}

// rectify is ReLU.
func rectify(y []float32) {
	for i, v := range y {
		y[i] = max(v, 0)
	}
}

// stepLSTM updates the state by window i and returns its probability.
func (n *Network) stepLSTM(w *workspace, i int, h, c []float32) float32 {
	gates := w.gates[i*4*Hidden:][:4*Hidden]
	kernel.MatVec(w.step, n.feed, h, gates, 4*Hidden, Hidden)
	kernel.LSTMStep(w.step, c, h)
	copy(w.last, h)
	rectify(w.last)
	p := [1]float32{n.outBias}
	for j, v := range w.last {
		p[0] += v * n.out[j]
	}
	kernel.Sigmoid(p[:])
	return p[0]
}
