package model

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// writeTransducer writes the prediction network and the joint as one graph in the layout of NeMo's export. They
// exist if the checkpoint has their tensors: some configurations are wrong about it.
func (im *checkpointImporter) writeTransducer() error {
	c := im.checkpoint
	embedding, joint := c.TensorShape("decoder.prediction.embed.weight"), c.TensorShape("joint.enc.weight")
	if embedding == nil || joint == nil {
		return nil
	}
	out := "joint.joint_net.2"
	if !c.HasTensor(out + ".weight") { // a joint without dropout has one module less
		out = "joint.joint_net.1"
	}
	shape := c.TensorShape(out + ".weight")
	if len(embedding) != 2 || len(joint) != 2 || len(shape) != 2 {
		return fmt.Errorf("the joint's weights have shapes %v, %v and %v; want two dimensions each", embedding, joint, shape)
	}
	im.rnnt, im.labels = true, int(shape[0])
	if extra := im.labels - im.pieces - 1; extra != 0 && extra != len(c.Durations) || im.labels <= im.pieces {
		return fmt.Errorf("the joint has %d outputs; want %d pieces, the blank and %d durations (decoding.durations): %d",
			im.labels, im.pieces, len(c.Durations), im.pieces+1+len(c.Durations))
	}
	t := transducerGraph{checkpointImporter: im, hidden: embedding[1], joint: joint[0]}
	t.bytes = map[string][]string{}
	t.buildGraph(out, joint[1])
	if im.err != nil {
		return im.err
	}
	return im.writeFile(predictionFile, onnxModel(t.fields))
}

// transducerGraph writes the graph: encoder_outputs [B, D, T], targets [B, U] and the LSTM's states in, outputs
// [B, T, U, labels] and the states out.
type transducerGraph struct {
	graphEmitter
	*checkpointImporter
	hidden, joint int64
}

// buildGraph appends all nodes; out is the joint's last layer.
func (t *transducerGraph) buildGraph(out string, encoded int64) {
	prediction := t.affineOf("joint.pred", t.hidden, t.joint, t.emitPrediction())
	encoder := t.emitOp("Transpose", []string{tensorEncoderOutputs}, intsAttribute("perm", 0, 2, 1))
	encoder = t.affineOf("joint.enc", encoded, t.joint, encoder)
	sum := t.emitOp("Add", []string{
		t.emitOp("Unsqueeze", []string{encoder, t.emitIntegers(2)}),
		t.emitOp("Unsqueeze", []string{prediction, t.emitIntegers(1)}),
	})
	activation := map[string]string{"relu": "Relu", "tanh": "Tanh", "sigmoid": "Sigmoid"}[t.checkpoint.Activation]
	last := t.affineOf(out, t.joint, int64(t.labels), t.emitOp(activation, []string{sum}))
	t.fields = appendNode(t.fields, "Identity", []string{last}, "outputs")
	t.fields = appendNode(t.fields, "Identity", []string{"target_length"}, "prednet_lengths")
	t.fields = appendString(t.fields, graphName, "decoder_joint")
	layers := t.checkpoint.Prediction.Layers
	t.addValue(graphInput, tensorEncoderOutputs, typeFloat, "batch", int(encoded), "frames")
	t.addValue(graphInput, "targets", typeInt32, "batch", "labels")
	t.addValue(graphInput, "target_length", typeInt32, "batch")
	t.addValue(graphOutput, "outputs", typeFloat, "batch", "frames", "labels", t.labels)
	t.addValue(graphOutput, "prednet_lengths", typeInt32, "batch")
	for i := 1; i <= 2; i++ {
		t.addValue(graphInput, fmt.Sprintf("input_states_%d", i), typeFloat, layers, "batch", int(t.hidden))
		t.addValue(graphOutput, fmt.Sprintf("output_states_%d", i), typeFloat, layers, "batch", int(t.hidden))
	}
}

func (t *transducerGraph) addValue(field protowire.Number, name string, typ int64, dims ...any) {
	t.fields = appendValue(t.fields, field, name, typ, dims...)
}

// affineOf multiplies x by the transposed weight [out, in] and adds the bias.
func (t *transducerGraph) affineOf(name string, in, out int64, x string) string {
	w, bias := t.matrixOf(name+".weight", out, in), t.readOptional(name+".bias", out)
	if bias == nil {
		bias = make([]float32, out)
	}
	return t.emitOp("Add", []string{t.emitOp("MatMul", []string{x, w}), t.emitFloats(bias)})
}

// matrixOf returns the transposed weight [out, in] in the graph.
func (t *transducerGraph) matrixOf(name string, out, in int64) string {
	return t.emitMatrix(t.readMatrix(name, out, in), in, out)
}

// emitPrediction returns the embedding and the LSTM's layers, [B, U, hidden].
func (t *transducerGraph) emitPrediction() string {
	rows := int64(t.pieces) + 1
	if !t.checkpoint.Prediction.BlankAsPad {
		rows--
	}
	table := t.readNumbers("decoder.prediction.embed.weight", rows, t.hidden)
	if !t.checkpoint.Prediction.BlankAsPad { // the start symbol is a vector of zeros
		table = append(table, make([]float32, t.hidden)...)
	}
	x := t.emitOp(
		"Gather", []string{t.emitMatrix(table, int64(t.pieces)+1, t.hidden), "targets"}, intAttribute("axis", 0),
	)
	x = t.emitOp("Transpose", []string{x}, intsAttribute("perm", 1, 0, 2))
	var states [2][]string
	for layer := range t.checkpoint.Prediction.Layers {
		var y [2]string
		x, y = t.emitLSTMCell(int64(layer), x)
		for i := range y {
			states[i] = append(states[i], y[i])
		}
	}
	for i, parts := range states {
		t.fields = appendNode(t.fields, "Concat", parts, fmt.Sprintf("output_states_%d", i+1), intAttribute("axis", 0))
	}
	return t.emitOp("Transpose", []string{x}, intsAttribute("perm", 1, 0, 2))
}

// emitLSTMCell returns one LSTM layer over x [U, B, hidden]: its output and its two last states.
func (t *transducerGraph) emitLSTMCell(layer int64, x string) (string, [2]string) {
	name, h := "decoder.prediction.dec_rnn.lstm.", t.hidden
	weights := make([]string, 3)
	for i, part := range []string{"weight_ih", "weight_hh"} {
		w := inONNXOrder(t.readNumbers(fmt.Sprintf("%s%s_l%d", name, part, layer), 4*h, h))
		weights[i] = t.emitMatrix(w, 1, 4*h, h)
	}
	bias := inONNXOrder(t.readNumbers(fmt.Sprintf("%sbias_ih_l%d", name, layer), 4*h))
	bias = append(bias, inONNXOrder(t.readNumbers(fmt.Sprintf("%sbias_hh_l%d", name, layer), 4*h))...)
	weights[2] = t.emitMatrix(bias, 1, 8*h)
	in := append([]string{x}, append(weights, "")...)
	for i := 1; i <= 2; i++ {
		in = append(in, t.emitSlice(fmt.Sprintf("input_states_%d", i), t.emitIntegers(layer), t.emitIntegers(layer+1), 0, 1))
	}
	out := []string{t.newName(), t.newName(), t.newName()}
	t.fields = appendMessage(t.fields, graphNode, marshalNode("LSTM", in, out, intAttribute("hidden_size", h)))
	return t.emitOp("Squeeze", []string{out[0], t.emitIntegers(1)}), [2]string{out[1], out[2]}
}

// inONNXOrder reorders torch's gates (input, forget, cell, output) to ONNX's order (input, output, forget, cell).
func inONNXOrder(v []float32) []float32 {
	n := len(v) / 4
	out := make([]float32, 0, 2*len(v))
	for _, gate := range []int{0, 3, 1, 2} {
		out = append(out, v[gate*n:(gate+1)*n]...)
	}
	return out
}

// ctcHead writes the CTC head as a separate graph. Its tensors have another name in models without a transducer.
func (im *checkpointImporter) ctcHead() error {
	name := "ctc_decoder.decoder_layers.0"
	if !im.checkpoint.HasTensor(name + ".weight") {
		name = "decoder.decoder_layers.0"
	}
	shape := im.checkpoint.TensorShape(name + ".weight")
	if shape == nil && !im.rnnt {
		return fmt.Errorf("the checkpoint has neither a transducer (decoder.prediction, joint) nor a CTC head")
	}
	if shape == nil {
		return nil
	}
	if len(shape) != 3 || shape[0] != int64(im.pieces)+1 || shape[2] != 1 {
		return fmt.Errorf(
			"the weight %s.weight has shape %v; %d pieces require [%d, width, 1]", name, shape, im.pieces, im.pieces+1,
		)
	}
	w, bias := im.readNumbers(name+".weight", shape...), im.readNumbers(name+".bias", shape[0])
	if im.err != nil {
		return im.err
	}
	return im.writeFile(ctcFile, ctcGraph(w, bias, shape[1]))
}

// ctcGraph returns the serialized CTC head: encoder_outputs [B, D, T] in, log-probabilities [B, T, V+1] out. w is [V+1,
// D, 1].
func ctcGraph(w, bias []float32, width int64) []byte {
	labels := int64(len(bias))
	e := graphEmitter{bytes: map[string][]string{}}
	x := e.emitOp(
		"Conv",
		[]string{tensorEncoderOutputs, e.emitMatrix(w, labels, width, 1), e.emitFloats(bias)},
		intsAttribute("kernel_shape", 1),
	)
	x = e.emitOp("Transpose", []string{x}, intsAttribute("perm", 0, 2, 1))
	g := appendNode(e.fields, "LogSoftmax", []string{x}, "logprobs", intAttribute("axis", -1))
	g = appendString(g, graphName, "ctc")
	g = appendValue(g, graphInput, tensorEncoderOutputs, typeFloat, "batch", int(width), "frames")
	g = appendValue(g, graphOutput, "logprobs", typeFloat, "batch", "frames", int(labels))
	return onnxModel(g)
}
