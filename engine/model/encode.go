package model

import (
	"context"
	"fmt"

	"munadi/engine/decode"
	"munadi/engine/ort"
)

// FrameCount returns how many encoder frames come of the given number of feature frames: three convolutions of stride 2
// for a subsampling of 8 (NeMo's dw_striding).
func (m *SpeechModel) FrameCount(features int) int {
	for factor := 1; factor < m.Subsampling; factor *= 2 {
		features = halvedLength(features, m.Causal)
	}
	return features
}

// EncodeMel runs the encoder and both heads. mel is [F, N] with N−1 or N valid frames, features.Extract's output; valid
// counts them. A cancelled ctx stops the run between two operators.
func (m *SpeechModel) EncodeMel(ctx context.Context, mel []float32, valid int) (EncodedSpeech, error) {
	n := len(mel) / m.Features
	if valid < 1 || valid > n {
		return EncodedSpeech{}, fmt.Errorf("encode: %d valid frames of %d", valid, n)
	}
	if m.rewritten {
		mel, n = trimFrames(mel, n, valid), valid
	}
	out, err := m.session.Run(ctx,
		ort.DenseTensor{Shape: []int64{1, int64(m.Features), int64(n)}, F32: mel},
		ort.DenseTensor{Shape: []int64{1}, I64: []int64{int64(valid)}})
	if err != nil {
		return EncodedSpeech{}, err
	}
	e := EncodedSpeech{T: m.FrameCount(valid)}
	if m.lengths {
		if len(out[0].I64) != 1 {
			return EncodedSpeech{}, fmt.Errorf("the encoder gives %d lengths for one utterance", len(out[0].I64))
		}
		e.T, out = int(out[0].I64[0]), out[1:]
	}
	if m.rewritten && int(out[0].Shape[1]) != e.T {
		return EncodedSpeech{}, fmt.Errorf("the encoder gives %d frames, want %d", out[0].Shape[1], e.T)
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

// trimFrames is [F, valid] of [F, n].
func trimFrames(mel []float32, n, valid int) []float32 {
	if n == valid {
		return mel
	}
	out := make([]float32, 0, len(mel)/n*valid)
	for at := 0; at+n <= len(mel); at += n {
		out = append(out, mel[at:at+valid]...)
	}
	return out
}

// encoderFrames views the first t rows of a [1, T, width] tensor.
func encoderFrames(t ort.DenseTensor, rows, width int) (decode.EncoderFrames, error) {
	if len(t.Shape) != 3 || int(t.Shape[2]) != width || int(t.Shape[1]) < rows || t.Shape[0] != 1 {
		return decode.EncoderFrames{}, fmt.Errorf(
			"the graph gives a tensor of shape %v, want [1, ≥%d, %d]",
			t.Shape,
			rows,
			width,
		)
	}
	return decode.EncoderFrames{Data: t.F32[:rows*width], T: rows, J: width}, nil
}
