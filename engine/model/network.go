package model

import (
	"munadi/engine/decode"
	"munadi/engine/kernel"
)

// PredictionNetwork is the prediction network and the joint of one decoding; it has scratch buffers and is
// not safe for concurrent use.
type PredictionNetwork struct {
	p     *predictionWeights
	gates []float32 // [4H]
	sum   []float32 // [J]
	batch []float32 // [n, J]
}

// NewNetwork returns a network for one decoding; nil if the model has no RNNT head.
func (m *SpeechModel) NewNetwork() *PredictionNetwork {
	if m.predictor == nil {
		return nil
	}
	p := m.predictor
	return &PredictionNetwork{p: p, gates: make([]float32, 4*p.layers[0].hidden), sum: make([]float32, p.out.in)}
}

// BlankID returns the blank's label, the last one.
func (n *PredictionNetwork) BlankID() int { return n.p.labels - 1 }

// StartState returns the prediction after the start symbol, which is the blank: its embedding row is zero.
func (n *PredictionNetwork) StartState() *decode.PredictionState {
	size := 0
	for _, l := range n.p.layers {
		size += l.hidden
	}
	return n.NextState(&decode.PredictionState{H: make([]float32, size), C: make([]float32, size)}, n.BlankID())
}

// NextState runs the LSTM for one label and projects its output into the joint space.
func (n *PredictionNetwork) NextState(s *decode.PredictionState, label int) *decode.PredictionState {
	next := &decode.PredictionState{
		Pred: make([]float32, n.p.pred.out), H: make([]float32, len(s.H)), C: append([]float32(nil), s.C...),
	}
	var x []float32
	off := 0
	for i := range n.p.layers {
		l := &n.p.layers[i]
		h, c := next.H[off:off+l.hidden], next.C[off:off+l.hidden]
		n.runLayer(l, label, x, s.H[off:off+l.hidden], h, c)
		x = h
		off += l.hidden
	}
	kernel.MatVec(next.Pred, n.p.pred.w, x, n.p.pred.b, n.p.pred.out, n.p.pred.in)
	return next
}

// runLayer runs one LSTM layer: h [H] is written, c [H] is updated in place, was is the previous h. x is nil for the
// first layer, whose input is the embedding of label.
func (n *PredictionNetwork) runLayer(l *lstmLayer, label int, x, was, h, c []float32) {
	g := 4 * l.hidden
	if len(n.gates) < g {
		n.gates = make([]float32, g)
	}
	gates, bias := n.gates[:g], l.b
	if x == nil {
		bias = n.p.table[label*g : (label+1)*g]
	}
	kernel.MatVec(gates, l.r, was, bias, g, l.hidden)
	if x != nil {
		part := make([]float32, g)
		kernel.MatVec(part, l.w, x, nil, g, l.inputs)
		addVectors(gates, gates, part)
	}
	kernel.LSTMStep(gates, c, h)
}

// Durations returns the durations of labels in frames (TDT); none for other transducers.
func (n *PredictionNetwork) Durations() []int { return n.p.durations }

// JointLogits writes the raw logits of an encoder frame [J] that is already in the joint space: of the labels [V+1],
// or, into a longer dst, of the labels and the durations.
func (n *PredictionNetwork) JointLogits(dst, enc []float32, s *decode.PredictionState) {
	n.p.act(n.sum, enc, s.Pred)
	kernel.MatVec(dst, n.p.out.w, n.sum, n.p.out.b, len(dst), n.p.out.in)
}

// JointBatch is JointLogits for several (frame, state) pairs: encs is [n, J], dst is [n, V+1]. The output matrix is
// read from memory once for all of them.
func (n *PredictionNetwork) JointBatch(dst, encs []float32, states []*decode.PredictionState) {
	j := n.p.out.in
	if need := len(states) * j; cap(n.batch) < need {
		n.batch = make([]float32, need)
	}
	x := n.batch[:len(states)*j]
	for i, s := range states {
		n.p.act(x[i*j:(i+1)*j], encs[i*j:(i+1)*j], s.Pred)
	}
	kernel.MatVecBatch(dst, n.p.out.w, x, n.p.out.b, len(states), n.p.labels, j)
}
