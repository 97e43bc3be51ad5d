package ort

import (
	"context"
	"fmt"
)

// SileroVAD runs silero_vad_16k_sequence.onnx: many windows in one call.
type SileroVAD struct{ s *GraphSession }

// NewSilero creates a session of the model.
func NewSilero(model []byte) (*SileroVAD, error) {
	s, err := NewSession(
		ModelGraph{Bytes: model}, []string{"input", "h", "c"}, []string{"speech_probs", "hn", "cn"}, SessionOptions{},
	)
	if err != nil {
		return nil, fmt.Errorf("voice activity model: %w", err)
	}
	return &SileroVAD{s: s}, nil
}

// RunVAD takes windows of 576 samples, input [frames, 576], and the LSTM's state h, c [128]; it returns a speech
// probability per window and the state after the last one.
func (v *SileroVAD) RunVAD(
	ctx context.Context, input []float32, frames int, h, c []float32,
) (probs, hn, cn []float32, err error) {
	state := []int64{1, 1, int64(len(h))}
	out, err := v.s.Run(ctx, DenseTensor{Shape: []int64{int64(frames), int64(len(input) / max(frames, 1))}, F32: input},
		DenseTensor{Shape: state, F32: h}, DenseTensor{Shape: state, F32: c})
	if err != nil {
		return nil, nil, nil, err
	}
	return out[0].F32, out[1].F32, out[2].F32, nil
}

// Close frees the session.
func (v *SileroVAD) Close() error { return v.s.Close() }
