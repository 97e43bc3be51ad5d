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
