package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"munadi/engine/silero"
)

// sileroOps are the operators of silero_vad_16k_sequence.onnx in its order, without constants: reflection padding, the
// spectrum, four convolutions, the LSTM, and the output.
const sileroOps = "ConstantOfShape Concat Reshape Slice Transpose Reshape Cast Pad Unsqueeze Conv " +
	"Slice Slice Slice Slice Pow Pow Add Sqrt Conv Relu Conv Relu Conv Relu Conv Relu Transpose " +
	"LSTM Squeeze Relu Transpose Conv Sigmoid Reshape"

// ReadSilero returns the weights of silero_vad_16k_sequence.onnx; another graph, or a basis that is not symmetric, is
// an error.
func ReadSilero(file []byte) (w silero.Weights, err error) {
	g, err := parseGraph(file)
	if err == nil {
		w, err = readSilero(g)
	}
	if err == nil {
		err = w.CheckSymmetry()
	}
	if err != nil {
		return w, fmt.Errorf("voice activity model: %w", err)
	}
	return w, nil
}

// readSilero returns the weights if the operators of the graph are the expected ones, in order.
func readSilero(g *onnxGraph) (w silero.Weights, err error) {
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
	const hidden, channels = silero.Hidden, silero.Channels
	w.Basis = read("stft.forward_basis_buffer", 2*silero.Bins, 1, silero.Part)
	for i, size := range [][2]int64{{hidden, silero.Bins}, {channels, hidden}, {channels, channels}, {hidden, channels}} {
		w.Conv[i] = read(fmt.Sprintf("encoder.%d.weight", i), size[0], size[1], silero.Taps)
		w.Bias[i] = read(fmt.Sprintf("encoder.%d.bias", i), size[0])
	}
	w.LSTM = read("onnx::LSTM_209", 1, 4*hidden, hidden)
	w.Feed = read("onnx::LSTM_210", 1, 4*hidden, hidden)
	w.Gates = read("onnx::LSTM_211", 1, 8*hidden)
	w.Out, w.OutBias = read("output.weight", 1, hidden, 1), read("output.bias", 1)
	return w, err
}

// The end of a window, in samples.
const (
	sileroMirror  = silero.Input - 1 // the last sample, about which the signal is reflected
	sileroReflect = silero.Frames*silero.Hop + silero.Hop - silero.Input
)

// PrepareSilero rewrites Silero's network for sequences of windows (silero_vad_16k_sequence.onnx) as matrix products
// over all windows of a call: the same weights, inputs and outputs, with a quarter of the time. Its convolutions see
// one window at a time, of four frames, for which ONNX Runtime's convolution spends more time on preparation than on
// arithmetic. The LSTM is left as it is. w are the file's weights, see [ReadSilero].
//
// The spectrum of a window is computed from sums and differences of samples at equal distances from its middle, since
// cosines are even and sines odd about it: half the multiplications.
func PrepareSilero(file []byte, w silero.Weights) ([]byte, error) {
	e := &graphEmitter{}
	e.emitSilero(w)
	var out []byte
	err := eachField(file, 0, func(f protoField) error {
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

// transposedBasis returns the folded basis of cosines (row 0) or sines as a matrix [half a frame, bins].
func transposedBasis(w silero.Weights, row int) []float32 {
	const half = silero.Part / 2
	folded := w.FoldedBasis(row)
	out := make([]float32, len(folded))
	for k := range silero.Bins {
		for n := range half {
			out[n*silero.Bins+k] = folded[k*half+n]
		}
	}
	return out
}

// tapMatrix returns taps from … to-1 of a convolution as a matrix [taps·in, out].
func tapMatrix(w silero.Weights, layer, from, to int) []float32 {
	outs := len(w.Bias[layer])
	ins := len(w.Conv[layer]) / silero.Taps / outs
	m := make([]float32, (to-from)*ins*outs)
	for o := range outs {
		for i := range ins {
			for t := from; t < to; t++ {
				m[((t-from)*ins+i)*outs+o] = w.Conv[layer][(o*ins+i)*silero.Taps+t]
			}
		}
	}
	return m
}

// emitSilero emits the network. All values are matrices with a row for each window.
func (e *graphEmitter) emitSilero(w silero.Weights) {
	spectra := e.emitSpectra(w)
	x := e.emitSileroConvolutions(w, spectra)
	x = e.emitOp("Reshape", []string{x, e.emitIntegers(-1, 1, silero.Hidden)})
	hidden := e.newName()
	lstm := []string{
		x,
		e.emitMatrix(w.LSTM, 1, 4*silero.Hidden, silero.Hidden), e.emitMatrix(w.Feed, 1, 4*silero.Hidden, silero.Hidden),
		e.emitMatrix(w.Gates, 1, 8*silero.Hidden), "", "h", "c",
	}
	e.emitNode("LSTM", lstm, []string{hidden, "hn", "cn"}, intAttribute("hidden_size", silero.Hidden))
	y := e.emitOp("Relu", []string{e.emitOp("Reshape", []string{hidden, e.emitIntegers(-1, silero.Hidden)})})
	y = e.emitOp("Gemm", []string{y, e.emitMatrix(w.Out, silero.Hidden, 1), e.emitFloats(w.OutBias)})
	y = e.emitOp("Sigmoid", []string{y})
	e.emitNode("Reshape", []string{y, e.emitIntegers(-1)}, []string{"speech_probs"})
}

// emitSpectra returns the magnitudes of the four spectra of each window. A spectrum's samples n and part-n have equal
// weights, so they are added first: samples from its second on, and those before its end backwards. The last spectrum
// ends beyond the window, where the signal is reflected about its last sample.
func (e *graphEmitter) emitSpectra(w silero.Weights) []string {
	one := e.emitIntegers(1)
	columns := func(x string, from, to int64) string {
		return e.emitOp("Slice", []string{x, e.emitIntegers(from), e.emitIntegers(to), one})
	}
	backwards := e.emitOp("Slice", []string{
		"input", e.emitIntegers(-1), e.emitIntegers(-silero.Input - 1), one, e.emitIntegers(-1),
	})
	const half = silero.Part / 2
	var ahead, back []string
	for part := range int64(silero.Frames) {
		start := part * silero.Hop
		ahead = append(ahead, columns("input", start+1, start+1+half))
		if end := start + silero.Part; end <= silero.Input {
			from := silero.Input - end
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
		basis := e.emitMatrix(transposedBasis(w, row), half, silero.Bins)
		v := e.emitOp("Gemm", []string{e.emitOp(op, []string{x, y}), basis})
		return e.emitOp("Mul", []string{v, v})
	}
	all := e.emitOp("Sqrt", []string{e.emitOp("Add", []string{square("Add", 0), square("Sub", silero.Bins)})})
	spectra := make([]string, silero.Frames)
	for i := range spectra {
		spectra[i] = e.newName()
	}
	e.emitNode("Split", []string{all}, spectra, rows)
	return spectra
}

// emitSileroConvolutions returns the input of the LSTM. The convolutions have three taps and padding of one frame; the
// second and third have a stride of 2, so that four frames become two and one.
func (e *graphEmitter) emitSileroConvolutions(w silero.Weights, frames []string) string {
	for layer := range w.Conv {
		stride := 1
		if layer == 1 || layer == 2 {
			stride = 2
		}
		outs := len(w.Bias[layer])
		bias, weights := e.emitFloats(w.Bias[layer]), map[[2]int]string{}
		var next []string
		for at := 0; at < len(frames); at += stride {
			first, last := max(at-1, 0), min(at+2, len(frames)) // frames under the taps, without padding
			taps := [2]int{first - at + 1, last - at + 1}
			if weights[taps] == "" {
				m := tapMatrix(w, layer, taps[0], taps[1])
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
