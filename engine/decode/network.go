package decode

import (
	"errors"
	"fmt"
)

// TransducerNetwork is the label-dependent part of a transducer: prediction network and joint (Graves 2012,
// arXiv:1211.3711). A search calls it from one goroutine; concurrent searches need separate networks, unless its
// methods keep no scratch memory.
type TransducerNetwork interface {
	// BlankID returns the id of the blank, V: the last of V+1 outputs.
	BlankID() int
	// StartState returns the prediction of the empty sequence: after the start symbol, whose embedding is all zeros.
	StartState() *PredictionState
	// NextState returns the prediction after one more label, 0 <= label < V. It does not modify s.
	NextState(s *PredictionState, label int) *PredictionState
	// JointLogits writes the raw logits of one encoder frame, enc [J], and one prediction to dst [V+1].
	JointLogits(dst, enc []float32, s *PredictionState)
}

// BatchJoint is an optional interface of a [TransducerNetwork]: the joint of n pairs at once, so that its output matrix
// is read from memory once. dst is [n, V+1], encs [n, J], states [n].
type BatchJoint interface {
	JointBatch(dst, encs []float32, states []*PredictionState)
}

// PredictionState is the prediction after a label sequence. It is immutable once returned: searches share it.
type PredictionState struct {
	Pred []float32 // output of the prediction network, projected into the joint space, [J]
	H, C []float32 // recurrent state, [layers*hidden]
}

// EncoderFrames are encoder outputs projected into the joint space, row-major.
type EncoderFrames struct {
	Data []float32 // [T, J]
	T, J int
}

// At returns frame t, [J].
func (f EncoderFrames) At(t int) []float32 { return f.Data[t*f.J : (t+1)*f.J : (t+1)*f.J] }

// LogProbs are the log-softmax outputs of a CTC head, row-major. The blank is the last label.
type LogProbs struct {
	Data   []float32 // [T, Labels]
	T      int
	Labels int // V+1
}

// At returns frame t, [Labels].
func (l LogProbs) At(t int) []float32 { return l.Data[t*l.Labels : (t+1)*l.Labels : (t+1)*l.Labels] }

// BlankID returns the id of the blank, V.
func (l LogProbs) BlankID() int { return l.Labels - 1 }

// ErrShape means that a matrix is smaller than its dimensions, or has no column for the blank.
var ErrShape = errors.New("decode: wrong shape")

// ErrOption means that an option is out of range.
var ErrOption = errors.New("decode: wrong option")

func (f EncoderFrames) checkShape() error {
	if f.T < 0 || f.J < 1 || len(f.Data) < f.T*f.J {
		return fmt.Errorf("%w: %d values for frames [%d, %d]", ErrShape, len(f.Data), f.T, f.J)
	}
	return nil
}

func (l LogProbs) checkShape() error {
	if l.T < 0 || l.Labels < 1 || len(l.Data) < l.T*l.Labels {
		return fmt.Errorf("%w: %d values for log-probabilities [%d, %d]", ErrShape, len(l.Data), l.T, l.Labels)
	}
	return nil
}

// jointAll fills dst [n, V+1] for n pairs of a row of encs [n, J] and a state, in one call if the network implements
// [BatchJoint].
func jointAll(net TransducerNetwork, dst, encs []float32, states []*PredictionState) {
	if b, ok := net.(BatchJoint); ok && len(states) > 1 {
		b.JointBatch(dst, encs, states)
		return
	}
	labels, j := net.BlankID()+1, len(encs)/max(1, len(states))
	for i, s := range states {
		net.JointLogits(dst[i*labels:(i+1)*labels], encs[i*j:(i+1)*j], s)
	}
}
