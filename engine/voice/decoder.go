package voice

import (
	"context"
	"fmt"
	"slices"

	"munadi/engine/ort"
)

// firstSteps are the steps of the first part of a sentence, a third of a second in Piper's voices.
const firstSteps = 32

// pieceDecoder is the decoder of a voice: convolutions from steps to samples, which can run over pieces of a sentence.
type pieceDecoder struct {
	session *ort.GraphSession
	samples int // of a step
	reach   int // steps before and after a step that its samples depend on
}

// stepsOf returns how many steps the values [1, C, T] of a sentence have; one that holds at all of them has T = 1.
func (v *NeuralVoice) stepsOf(values []ort.DenseTensor) (steps int, err error) {
	for _, value := range values {
		if len(value.Shape) != 3 || value.Shape[0] != 1 || len(value.F32) == 0 {
			return 0, fmt.Errorf("the network's decoder takes the shape %v; want [1, C, T] with T of at least 1", value.Shape)
		}
		steps = max(steps, int(value.Shape[2]))
	}
	return steps, v.checkLength(steps * v.decoder.samples)
}

// decodeSpan returns the samples of the steps from..to-1 of a sentence, computed with the steps beside them on which
// they depend.
func (v *NeuralVoice) decodeSpan(
	ctx context.Context, values []ort.DenseTensor, steps, from, to int,
) ([]float32, error) {
	d := v.decoder
	first, last := max(0, from-d.reach), min(steps, to+d.reach)
	piece := slices.Clone(values)
	for i, value := range values {
		if int(value.Shape[2]) == steps {
			piece[i] = cutSteps(value, first, last)
		}
	}
	out, err := d.session.Run(ctx, piece...)
	if err != nil {
		return nil, err
	}
	samples, err := v.checkSamples(out[0])
	if err != nil {
		return nil, err
	}
	if len(samples) != (last-first)*d.samples {
		return nil, fmt.Errorf("the network's decoder gives %d samples for %d steps; want %d a step", len(samples),
			last-first, d.samples)
	}
	return samples[(from-first)*d.samples : (to-first)*d.samples], nil
}

// cutSteps copies the steps from..to-1 of a value [1, C, T].
func cutSteps(value ort.DenseTensor, from, to int) ort.DenseTensor {
	channels, steps := int(value.Shape[1]), int(value.Shape[2])
	if from == 0 && to == steps {
		return value
	}
	cut := make([]float32, 0, channels*(to-from))
	for c := range channels {
		cut = append(cut, value.F32[c*steps+from:c*steps+to]...)
	}
	return ort.DenseTensor{Shape: []int64{1, int64(channels), int64(to - from)}, F32: cut}
}
