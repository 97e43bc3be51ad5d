package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sizes of Silero's 16 kHz network, in samples and channels.
const (
	sileroInput   = 576 // samples of a window with its context
	sileroPart    = 256 // samples of a short-time spectrum
	sileroHop     = 128
	sileroParts   = 4 // spectra of a window
	sileroBins    = sileroPart/2 + 1
	sileroHidden  = 128
	sileroMirror  = sileroInput - 1 // the last sample, about which the signal is reflected
	sileroReflect = sileroParts*sileroHop + sileroHop - sileroInput
)

// sileroOps are the operators of silero_vad_16k_sequence.onnx in its order, without constants: reflection padding, the
// spectrum, four convolutions, the LSTM, and the output.
const sileroOps = "ConstantOfShape Concat Reshape Slice Transpose Reshape Cast Pad Unsqueeze Conv " +
	"Slice Slice Slice Slice Pow Pow Add Sqrt Conv Relu Conv Relu Conv Relu Conv Relu Transpose " +
	"LSTM Squeeze Relu Transpose Conv Sigmoid Reshape"

// sileroWeights are the network's weights by their names in the file.
type sileroWeights struct {
	basis         []float32    // [2·bins, part]: cosines, then sines, windowed
	conv          [4][]float32 // [out, in, 3]
	bias          [4][]float32
	input, hidden []float32 // of the LSTM, [4·hidden, hidden]
	gates         []float32
	out, outBias  []float32
}

// PrepareSilero rewrites Silero's network for sequences of windows (silero_vad_16k_sequence.onnx) as matrix products
// over all windows of a call: the same weights, inputs and outputs, with a quarter of the time. Its convolutions see
// one window at a time, of four frames, for which ONNX Runtime's convolution spends more time on preparation than on
// arithmetic. The LSTM is left as it is. Another graph is an error.
//
// The spectrum of a window is computed from sums and differences of samples at equal distances from its middle, since
// cosines are even and sines odd about it: half the multiplications.
func PrepareSilero(file []byte) ([]byte, error) {
	g, err := parseGraph(file)
	if err != nil {
		return nil, fmt.Errorf("voice activity model: %w", err)
	}
	w, err := readSilero(g)
	if err != nil {
		return nil, fmt.Errorf("voice activity model: %w", err)
	}
	e := &graphEmitter{}
	e.emitSilero(w)
	var out []byte
	err = eachField(file, 0, func(f protoField) error {
		if f.num != modelGraph {
			out = append(out, f.raw...)
			return nil
		}
		kept, err := graphInterface(f)
		out = appendMessage(out, modelGraph, append(kept, e.fields...))
		return err
	})
	return out, err
}

// graphInterface returns the fields of a GraphProto that name it and its inputs and outputs.
func graphInterface(graph protoField) (kept []byte, err error) {
	err = eachField(graph.bytes, graph.off, func(f protoField) error {
		if slices.Contains([]int32{graphName, graphInput, graphOutput}, int32(f.num)) {
			kept = append(kept, f.raw...)
		}
		return nil
	})
	return kept, err
}

// readSilero returns the weights if the graph is the expected one: its operators in order, and the symmetries of the
// spectrum's basis.
func readSilero(g *onnxGraph) (w sileroWeights, err error) {
	var ops []string
	for _, n := range g.nodes {
		if n.op != "Constant" {
			ops = append(ops, n.op)
		}
	}
	if strings.Join(ops, " ") != sileroOps {
		return w, errors.New("its operators are not those of Silero VAD 6.2.3's 16 kHz sequence model")
	}
	read := func(name string, dims ...int64) (v []float32) {
		t, readErr := g.findTensor(name)
		if readErr == nil && !slices.Equal(t.dims, dims) {
			readErr = fmt.Errorf("weight %q has shape %v, want %v", name, t.dims, dims)
		}
		if readErr == nil {
			v, readErr = t.toFloat32s()
		}
		err = errors.Join(err, readErr)
		return v
	}
	const channels = sileroHidden / 2
	w.basis = read("stft.forward_basis_buffer", 2*sileroBins, 1, sileroPart)
	for i, size := range [][2]int64{
		{sileroHidden, sileroBins}, {channels, sileroHidden}, {channels, channels}, {sileroHidden, channels},
	} {
		w.conv[i] = read(fmt.Sprintf("encoder.%d.weight", i), size[0], size[1], 3)
		w.bias[i] = read(fmt.Sprintf("encoder.%d.bias", i), size[0])
	}
	w.input = read("onnx::LSTM_209", 1, 4*sileroHidden, sileroHidden)
	w.hidden = read("onnx::LSTM_210", 1, 4*sileroHidden, sileroHidden)
	w.gates = read("onnx::LSTM_211", 1, 8*sileroHidden)
	w.out, w.outBias = read("output.weight", 1, sileroHidden, 1), read("output.bias", 1)
	if err == nil {
		err = w.checkSymmetry()
	}
	return w, err
}

// checkSymmetry checks that cosines are even and sines odd about the middle of a spectrum's window, and that its first
// sample has no weight.
func (w *sileroWeights) checkSymmetry() error {
	for row := range 2 * sileroBins {
		b, sign := w.basis[row*sileroPart:(row+1)*sileroPart], float32(1)
		if row >= sileroBins {
			sign = -1
		}
		for n := 1; n <= sileroPart/2; n++ {
			if math.Abs(float64(b[n]-sign*b[sileroPart-n])) > 1e-6 {
				return errors.New("the basis of its spectrum is not symmetric")
			}
		}
		if b[0] != 0 {
			return errors.New("the window of its spectrum does not begin with 0")
		}
	}
	return nil
}

// foldedBasis returns the columns 1 … part/2 of rows of the basis, transposed. The middle sample is added to itself,
// or subtracted from itself, so its weight is halved.
func (w *sileroWeights) foldedBasis(row int) []float32 {
	const half = sileroPart / 2
	out := make([]float32, half*sileroBins)
	for k := range sileroBins {
		b := w.basis[(row+k)*sileroPart:]
		for n := range half {
			out[n*sileroBins+k] = b[n+1]
		}
		out[(half-1)*sileroBins+k] /= 2
	}
	return out
}

// tapMatrix returns taps from … to-1 of a convolution as a matrix [taps·in, out].
func (w *sileroWeights) tapMatrix(layer, from, to int) []float32 {
	outs := len(w.bias[layer])
	ins := len(w.conv[layer]) / 3 / outs
	m := make([]float32, (to-from)*ins*outs)
	for o := range outs {
		for i := range ins {
			for t := from; t < to; t++ {
				m[((t-from)*ins+i)*outs+o] = w.conv[layer][(o*ins+i)*3+t]
			}
		}
	}
	return m
}

// emitSilero emits the network. All values are matrices with a row for each window.
func (e *graphEmitter) emitSilero(w sileroWeights) {
	spectra := e.emitSpectra(w)
	x := e.emitSileroConvolutions(w, spectra)
	x = e.emitOp("Reshape", []string{x, e.emitIntegers(-1, 1, sileroHidden)})
	hidden := e.newName()
	lstm := []string{
		x,
		e.emitMatrix(w.input, 1, 4*sileroHidden, sileroHidden), e.emitMatrix(w.hidden, 1, 4*sileroHidden, sileroHidden),
		e.emitMatrix(w.gates, 1, 8*sileroHidden), "", "h", "c",
	}
	e.emitNode("LSTM", lstm, []string{hidden, "hn", "cn"}, intAttribute("hidden_size", sileroHidden))
	y := e.emitOp("Relu", []string{e.emitOp("Reshape", []string{hidden, e.emitIntegers(-1, sileroHidden)})})
	y = e.emitOp("Gemm", []string{y, e.emitMatrix(w.out, sileroHidden, 1), e.emitFloats(w.outBias)})
	y = e.emitOp("Sigmoid", []string{y})
	e.emitNode("Reshape", []string{y, e.emitIntegers(-1)}, []string{"speech_probs"})
}

// emitSpectra returns the magnitudes of the four spectra of each window. A spectrum's samples n and part-n have equal
// weights, so they are added first: samples from its second on, and those before its end backwards. The last spectrum
// ends beyond the window, where the signal is reflected about its last sample.
func (e *graphEmitter) emitSpectra(w sileroWeights) []string {
	one := e.emitIntegers(1)
	columns := func(x string, from, to int64) string {
		return e.emitOp("Slice", []string{x, e.emitIntegers(from), e.emitIntegers(to), one})
	}
	backwards := e.emitOp("Slice", []string{
		"input", e.emitIntegers(-1), e.emitIntegers(-sileroInput - 1), one, e.emitIntegers(-1),
	})
	const half = sileroPart / 2
	var ahead, back []string
	for part := range int64(sileroParts) {
		start := part * sileroHop
		ahead = append(ahead, columns("input", start+1, start+1+half))
		if end := start + sileroPart; end <= sileroInput {
			from := sileroInput - end
			back = append(back, columns(backwards, from, from+half))
			continue
		}
		mirrored := columns("input", sileroMirror-sileroReflect, sileroMirror)
		back = append(back, e.emitOp("Concat", []string{mirrored, columns(backwards, 0, half-sileroReflect)},
			intAttribute("axis", 1)))
	}
	rows := intAttribute("axis", 0)
	x, y := e.emitOp("Concat", ahead, rows), e.emitOp("Concat", back, rows)
	square := func(op string, row int) string {
		v := e.emitOp("Gemm", []string{e.emitOp(op, []string{x, y}), e.emitMatrix(w.foldedBasis(row), half, sileroBins)})
		return e.emitOp("Mul", []string{v, v})
	}
	all := e.emitOp("Sqrt", []string{e.emitOp("Add", []string{square("Add", 0), square("Sub", sileroBins)})})
	spectra := make([]string, sileroParts)
	for i := range spectra {
		spectra[i] = e.newName()
	}
	e.emitNode("Split", []string{all}, spectra, rows)
	return spectra
}

// emitSileroConvolutions returns the input of the LSTM. The convolutions have three taps and padding of one frame; the
// second and third have a stride of 2, so that four frames become two and one.
func (e *graphEmitter) emitSileroConvolutions(w sileroWeights, frames []string) string {
	for layer := range w.conv {
		stride := 1
		if layer == 1 || layer == 2 {
			stride = 2
		}
		outs := len(w.bias[layer])
		bias, weights := e.emitFloats(w.bias[layer]), map[[2]int]string{}
		var next []string
		for at := 0; at < len(frames); at += stride {
			first, last := max(at-1, 0), min(at+2, len(frames)) // frames under the taps, without padding
			taps := [2]int{first - at + 1, last - at + 1}
			if weights[taps] == "" {
				m := w.tapMatrix(layer, taps[0], taps[1])
				weights[taps] = e.emitMatrix(m, int64(len(m)/outs), int64(outs))
			}
			x := frames[first]
			if last-first > 1 {
				x = e.emitOp("Concat", frames[first:last], intAttribute("axis", 1))
			}
			next = append(next, e.emitOp("Relu", []string{e.emitOp("Gemm", []string{x, weights[taps], bias})}))
		}
		frames = next
	}
	return frames[0]
}
