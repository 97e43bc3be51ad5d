package model

import (
	"context"
	"fmt"
	"slices"

	"munadi/engine/decode"
	"munadi/engine/ort"
)

// frameCount returns the number of encoder frames for a number of feature frames: three convolutions of stride 2 for a
// subsampling of 8 (NeMo's dw_striding).
func (m *SpeechModel) frameCount(features int) int {
	for factor := 1; factor < m.Subsampling; factor *= 2 {
		features = halvedLength(features, m.Causal)
	}
	return features
}

// EncodeMel runs the encoder and both heads. mel is [F, N] with N−1 or N valid frames, as features.ExtractMel returns
// it; valid is their number. A cancelled ctx stops the run between two operators.
func (m *SpeechModel) EncodeMel(ctx context.Context, mel []float32, valid int) (EncodedSpeech, error) {
	return m.EncodeLanguage(ctx, mel, valid, "")
}

// EncodeLanguage is EncodeMel with the language that a prompted model is asked for; empty: the usual one.
func (m *SpeechModel) EncodeLanguage(
	ctx context.Context, mel []float32, valid int, language string,
) (EncodedSpeech, error) {
	n := len(mel) / m.Features
	if valid < 1 || valid > n {
		return EncodedSpeech{}, fmt.Errorf("encode: %d valid frames of %d", valid, n)
	}
	if (m.rewritten || m.stepwise) && n > valid {
		buf, _ := m.trimmed.Get().(*[]float32)
		if buf == nil {
			buf = new([]float32)
		}
		defer m.trimmed.Put(buf)
		mel, n = trimFrames(*buf, mel, n, valid), valid
		*buf = mel
	}
	if m.stepwise {
		return m.encodeInSteps(ctx, mel, n)
	}
	e, _, err := m.runEncoder(ctx, encoderStep{mel: mel, frames: n, valid: valid, language: language})
	if want := m.frameCount(valid); err == nil && m.rewritten && e.T != want {
		return EncodedSpeech{}, fmt.Errorf("the encoder returned %d frames, want %d", e.T, want)
	}
	return e, err
}

// encoderStep is the input of one run; without caches it is a whole utterance.
type encoderStep struct {
	mel      []float32 // [F, frames]
	frames   int
	valid    int            // of frames; the rest is padding
	caches   *encoderCaches // nil: none
	span     AttentionSpan
	dropped  int
	language string // of a prompted model; empty: the usual one
}

// runEncoder runs the graph once. The caches are the next run's, nil if the model has none.
func (m *SpeechModel) runEncoder(ctx context.Context, s encoderStep) (EncodedSpeech, *encoderCaches, error) {
	in := []ort.DenseTensor{
		{Shape: []int64{1, int64(m.Features), int64(s.frames)}, F32: s.mel},
		{Shape: []int64{1}, I64: []int64{int64(s.valid)}},
	}
	if m.Streaming != nil {
		in = append(in, m.cacheInputs(s)...)
	}
	if m.Prompts != nil {
		in = append(in, ort.DenseTensor{Shape: []int64{1}, I64: []int64{m.promptIndex(s.language)}})
	}
	out, err := m.session.Run(ctx, in...)
	if err != nil {
		return EncodedSpeech{}, nil, err
	}
	var next *encoderCaches
	if m.Streaming != nil {
		out, next = out[:len(out)-3], newCaches(out[len(out)-3:])
	}
	e, err := m.splitOutputs(out, m.frameCount(s.valid))
	return e, next, err
}

// splitOutputs returns the heads' parts of the graph's outputs; t is the number of frames if the graph outputs no
// length.
func (m *SpeechModel) splitOutputs(out []ort.DenseTensor, t int) (e EncodedSpeech, err error) {
	e.T = t
	if m.lengths {
		if len(out[0].I64) != 1 {
			return EncodedSpeech{}, fmt.Errorf("the encoder returned %d lengths for one utterance", len(out[0].I64))
		}
		e.T, out = int(out[0].I64[0]), out[1:]
	}
	if m.rewritten && int(out[0].Shape[1]) != e.T {
		return EncodedSpeech{}, fmt.Errorf("the encoder returned %d frames, but a length of %d", out[0].Shape[1], e.T)
	}
	if m.predictor != nil {
		if e.Joint, err = encoderFrames(out[0], e.T, m.predictor.out.in); err != nil {
			return EncodedSpeech{}, err
		}
		out = out[1:]
	}
	if m.hasCTC {
		var f decode.EncoderFrames
		f, err = encoderFrames(out[0], e.T, len(m.Vocabulary)+1)
		e.CTC = decode.LogProbs{Data: f.Data, T: f.T, Labels: f.J}
	}
	return e, err
}

// trimFrames returns the first valid frames, [F, valid], of mel [F, n]; unless they are all of mel, in dst if it has
// the capacity.
func trimFrames(dst, mel []float32, n, valid int) []float32 {
	if n == valid {
		return mel
	}
	dst = slices.Grow(dst[:0], len(mel)/n*valid)
	for at := 0; at+n <= len(mel); at += n {
		dst = append(dst, mel[at:at+valid]...)
	}
	return dst
}

// encoderFrames views the first t rows of a [1, T, width] tensor.
func encoderFrames(t ort.DenseTensor, rows, width int) (decode.EncoderFrames, error) {
	if len(t.Shape) != 3 || int(t.Shape[2]) != width || int(t.Shape[1]) < rows || t.Shape[0] != 1 {
		return decode.EncoderFrames{}, fmt.Errorf(
			"the graph returned a tensor of shape %v, want [1, ≥%d, %d]", t.Shape, rows, width,
		)
	}
	return decode.EncoderFrames{Data: t.F32[:rows*width], T: rows, J: width}, nil
}
