package model

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// transducer writes the prediction network and the joint as one graph in the layout of NeMo's export. Whether a
// checkpoint has them is told by its tensors: some say of themselves what they are not.
func (im *importer) transducer() error {
	c := im.checkpoint
	embedding, joint := c.Shape("decoder.prediction.embed.weight"), c.Shape("joint.enc.weight")
	if embedding == nil || joint == nil {
		return nil
	}
	out := "joint.joint_net.2"
	if !c.Has(out + ".weight") { // a joint without dropout has one module less
		out = "joint.joint_net.1"
	}
	shape := c.Shape(out + ".weight")
	if len(embedding) != 2 || len(joint) != 2 || len(shape) != 2 {
		return fmt.Errorf("the joint's weights have sizes %v, %v and %v; each needs two", embedding, joint, shape)
	}
	im.rnnt, im.labels = true, int(shape[0])
	if extra := im.labels - im.pieces - 1; extra != 0 && extra != len(c.Durations) || im.labels <= im.pieces {
		return fmt.Errorf("the joint has %d outputs; %d pieces, the blank and %d durations (decoding.durations) make %d",
			im.labels, im.pieces, len(c.Durations), im.pieces+1+len(c.Durations))
	}
	t := transducerGraph{importer: im, hidden: embedding[1], joint: joint[0]}
	t.emitter.bytes = map[string][]string{}
	t.build(out, joint[1])
	if im.err != nil {
		return im.err
	}
	return im.write(predictionFile, onnxModel(t.fields))
}

// transducerGraph writes the graph: encoder_outputs [B, D, T], targets [B, U] and the LSTM's states in, outputs
// [B, T, U, labels] and the states out.
type transducerGraph struct {
	emitter
	*importer
	hidden, joint int64
}

// build appends all nodes; out is the joint's last layer.
func (t *transducerGraph) build(out string, encoded int64) {
	prediction := t.affineOf("joint.pred", t.hidden, t.joint, t.prediction())
	encoder := t.op("Transpose", []string{tensorEncoderOutputs}, ints("perm", 0, 2, 1))
	encoder = t.affineOf("joint.enc", encoded, t.joint, encoder)
	sum := t.op("Add", []string{
		t.op("Unsqueeze", []string{encoder, t.integers(2)}), t.op("Unsqueeze", []string{prediction, t.integers(1)}),
	})
	activation := map[string]string{"relu": "Relu", "tanh": "Tanh", "sigmoid": "Sigmoid"}[t.checkpoint.Activation]
	last := t.affineOf(out, t.joint, int64(t.labels), t.op(activation, []string{sum}))
	t.fields = appendNode(t.fields, "Identity", []string{last}, "outputs")
	t.fields = appendNode(t.fields, "Identity", []string{"target_length"}, "prednet_lengths")
	t.fields = appendString(t.fields, graphName, "decoder_joint")
	layers := t.checkpoint.Prediction.Layers
	t.value(graphInput, tensorEncoderOutputs, typeFloat, "batch", int(encoded), "frames")
	t.value(graphInput, "targets", typeInt32, "batch", "labels")
	t.value(graphInput, "target_length", typeInt32, "batch")
	t.value(graphOutput, "outputs", typeFloat, "batch", "frames", "labels", t.labels)
	t.value(graphOutput, "prednet_lengths", typeInt32, "batch")
	for i := 1; i <= 2; i++ {
		t.value(graphInput, fmt.Sprintf("input_states_%d", i), typeFloat, layers, "batch", int(t.hidden))
		t.value(graphOutput, fmt.Sprintf("output_states_%d", i), typeFloat, layers, "batch", int(t.hidden))
	}
}

func (t *transducerGraph) value(field protowire.Number, name string, typ int64, dims ...any) {
	t.fields = appendValue(t.fields, field, name, typ, dims...)
}

// affineOf multiplies x by the transposed weight [out, in] and adds the bias.
func (t *transducerGraph) affineOf(name string, in, out int64, x string) string {
	w, bias := t.matrixOf(name+".weight", out, in), t.optional(name+".bias", out)
	if bias == nil {
		bias = make([]float32, out)
	}
	return t.op("Add", []string{t.op("MatMul", []string{x, w}), t.floats(bias)})
}

// matrixOf is the transposed weight [out, in] in the graph.
func (t *transducerGraph) matrixOf(name string, out, in int64) string {
	return t.emitter.matrix(t.importer.matrix(name, out, in), in, out)
}

// prediction is the embedding and the LSTM's layers, [B, U, hidden].
func (t *transducerGraph) prediction() string {
	rows := int64(t.pieces) + 1
	if !t.checkpoint.Prediction.BlankAsPad {
		rows--
	}
	table := t.numbers("decoder.prediction.embed.weight", rows, t.hidden)
	if !t.checkpoint.Prediction.BlankAsPad { // then the start is a vector of zeros
		table = append(table, make([]float32, t.hidden)...)
	}
	x := t.op("Gather", []string{t.emitter.matrix(table, int64(t.pieces)+1, t.hidden), "targets"}, integer("axis", 0))
	x = t.op("Transpose", []string{x}, ints("perm", 1, 0, 2))
	var states [2][]string
	for layer := range t.checkpoint.Prediction.Layers {
		var y [2]string
		x, y = t.cell(int64(layer), x)
		for i := range y {
			states[i] = append(states[i], y[i])
		}
	}
	for i, parts := range states {
		t.fields = appendNode(t.fields, "Concat", parts, fmt.Sprintf("output_states_%d", i+1), integer("axis", 0))
	}
	return t.op("Transpose", []string{x}, ints("perm", 1, 0, 2))
}

// cell is one LSTM layer over x [U, B, hidden]: its output and its two last states.
func (t *transducerGraph) cell(layer int64, x string) (string, [2]string) {
	name, h := "decoder.prediction.dec_rnn.lstm.", t.hidden
	weights := make([]string, 3)
	for i, part := range []string{"weight_ih", "weight_hh"} {
		w := inONNXOrder(t.numbers(fmt.Sprintf("%s%s_l%d", name, part, layer), 4*h, h))
		weights[i] = t.emitter.matrix(w, 1, 4*h, h)
	}
	bias := inONNXOrder(t.numbers(fmt.Sprintf("%sbias_ih_l%d", name, layer), 4*h))
	bias = append(bias, inONNXOrder(t.numbers(fmt.Sprintf("%sbias_hh_l%d", name, layer), 4*h))...)
	weights[2] = t.emitter.matrix(bias, 1, 8*h)
	in := append([]string{x}, append(weights, "")...)
	for i := 1; i <= 2; i++ {
		in = append(in, t.slice(fmt.Sprintf("input_states_%d", i), t.integers(layer), t.integers(layer+1), 0, 1))
	}
	out := []string{t.emitter.name(), t.emitter.name(), t.emitter.name()}
	t.fields = appendMessage(t.fields, graphNode, serialised("LSTM", in, out, integer("hidden_size", h)))
	return t.op("Squeeze", []string{out[0], t.integers(1)}), [2]string{out[1], out[2]}
}

// inONNXOrder turns torch's gates (input, forget, cell, output) into ONNX's (input, output, forget, cell).
func inONNXOrder(v []float32) []float32 {
	n := len(v) / 4
	out := make([]float32, 0, 2*len(v))
	for _, gate := range []int{0, 3, 1, 2} {
		out = append(out, v[gate*n:(gate+1)*n]...)
	}
	return out
}

// ctcHead writes the CTC head as a graph of its own. It is under another name in models that have no other head.
func (im *importer) ctcHead() error {
	name := "ctc_decoder.decoder_layers.0"
	if !im.checkpoint.Has(name + ".weight") {
		name = "decoder.decoder_layers.0"
	}
	shape := im.checkpoint.Shape(name + ".weight")
	if shape == nil && !im.rnnt {
		return fmt.Errorf("the checkpoint has neither a transducer (decoder.prediction, joint) nor a CTC head")
	}
	if shape == nil {
		return nil
	}
	if len(shape) != 3 || shape[0] != int64(im.pieces)+1 || shape[2] != 1 {
		return fmt.Errorf("the weight %s.weight has sizes %v; %d pieces make [%d, width, 1]", name, shape, im.pieces, im.pieces+1)
	}
	im.ctc = true
	w, bias := im.numbers(name+".weight", shape...), im.numbers(name+".bias", shape[0])
	if im.err != nil {
		return im.err
	}
	return im.write(ctcFile, ctcGraph(w, bias, shape[1]))
}

// ctcGraph is the serialised CTC head: encoder_outputs [B, D, T] in, log-probabilities [B, T, V+1] out. w is
// [V+1, D, 1].
func ctcGraph(w, bias []float32, width int64) []byte {
	labels := int64(len(bias))
	e := emitter{bytes: map[string][]string{}}
	x := e.op("Conv", []string{tensorEncoderOutputs, e.matrix(w, labels, width, 1), e.floats(bias)}, ints("kernel_shape", 1))
	x = e.op("Transpose", []string{x}, ints("perm", 0, 2, 1))
	g := appendNode(e.fields, "LogSoftmax", []string{x}, "logprobs", integer("axis", -1))
	g = appendString(g, graphName, "ctc")
	g = appendValue(g, graphInput, tensorEncoderOutputs, typeFloat, "batch", int(width), "frames")
	g = appendValue(g, graphOutput, "logprobs", typeFloat, "batch", "frames", int(labels))
	return onnxModel(g)
}
