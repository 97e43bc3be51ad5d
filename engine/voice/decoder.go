package voice

import (
	"context"
	"errors"
	"fmt"

	"munadi/engine/model"
	"munadi/engine/ort"
)

// firstSteps are the steps of the first part of a sentence, a third of a second in Piper's voices.
const firstSteps = 32

// pieceStage is a part of a voice's network that can run over pieces of a sentence: its flow, or its decoder, from
// steps to samples.
type pieceStage struct {
	model.TailStage
	session *ort.GraphSession
}

// openStages opens the parts of a network that is cut.
func (n *vitsNetwork) openStages(cut model.ConvolutionTail, inputs []string, options ort.SessionOptions) (err error) {
	n.session, err = ort.NewSession(ort.ModelGraph{Bytes: cut.Head}, inputs, cut.Outputs, options)
	n.outputs = cut.Outputs
	if err != nil {
		return err
	}
	for _, stage := range cut.Stages {
		graph := ort.ModelGraph{Bytes: stage.Graph}
		session, err := ort.NewSession(graph, stage.Inputs, stage.Outputs, options)
		if err != nil {
			return errors.Join(err, n.Close())
		}
		stage.Graph = nil
		n.stages = append(n.stages, pieceStage{stage, session})
	}
	return nil
}

// sentencePieces is a sentence on its way through the stages.
type sentencePieces struct {
	network *vitsNetwork
	values  map[string]ort.DenseTensor // [1, C, T]; of a stage, T steps of which some are filled
	filled  []int                      // steps, by stage
	steps   int
}

// newPieces begins a sentence with what the head gave.
func (n *vitsNetwork) newPieces(outputs []ort.DenseTensor) (*sentencePieces, error) {
	s := &sentencePieces{network: n, values: map[string]ort.DenseTensor{}, filled: make([]int, len(n.stages))}
	for i, value := range outputs {
		if err := checkSteps(value); err != nil {
			return nil, err
		}
		s.values[n.outputs[i]] = value
		s.steps = max(s.steps, int(value.Shape[2]))
	}
	return s, checkLength(s.samples(), n.rate)
}

// samples is how many the sentence will have.
func (s *sentencePieces) samples() int { return s.steps * s.network.samplesOfStep() }

func (n *vitsNetwork) samplesOfStep() int { return n.stages[len(n.stages)-1].Samples }

// passParts passes the samples on, at first few, then more at once.
func (s *sentencePieces) passParts(ctx context.Context, pass func(part []float32, total int) error) error {
	for from, n := 0, firstSteps; from < s.steps; n *= 2 {
		to := min(from+n, s.steps)
		if s.steps-to < n/2 { // a short rest has more margins than sound
			to = s.steps
		}
		part, err := s.decodeSpan(ctx, from, to)
		if err == nil {
			err = pass(part, s.samples())
		}
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// decodeSpan returns the samples of the steps from..to-1.
func (s *sentencePieces) decodeSpan(ctx context.Context, from, to int) ([]float32, error) {
	out, first, err := s.runStage(ctx, len(s.network.stages)-1, from, to)
	if err != nil {
		return nil, err
	}
	samples, err := checkSamples(out[0], s.network.rate)
	if err != nil {
		return nil, err
	}
	n := s.network.samplesOfStep()
	return samples[(from-first)*n : (to-first)*n], nil
}

// runStage runs a stage over the steps from..to-1 and those beside them on which they depend; first is the first of its
// output.
func (s *sentencePieces) runStage(ctx context.Context, k, from, to int) (out []ort.DenseTensor, first int, err error) {
	stage := s.network.stages[k]
	first, last := max(0, from-stage.Reach), min(s.steps, to+stage.Reach)
	if k > 0 {
		if err := s.fillStage(ctx, k-1, last); err != nil {
			return nil, 0, err
		}
	}
	pieces := make([]ort.DenseTensor, len(stage.Inputs))
	for i, name := range stage.Inputs {
		pieces[i] = s.values[name]
		if int(pieces[i].Shape[2]) == s.steps {
			pieces[i] = cutSteps(pieces[i], first, last)
		}
	}
	if out, err = stage.session.Run(ctx, pieces...); err != nil {
		return nil, 0, err
	}
	for _, value := range out {
		if n := len(value.Shape); n == 0 || value.Shape[n-1] != int64((last-first)*stage.Samples) {
			return nil, 0, fmt.Errorf("the network's decoder gives the shape %v for %d steps; want %d numbers a step",
				value.Shape, last-first, stage.Samples)
		}
	}
	return out, first, nil
}

// fillStage runs a stage as far as the step to, or farther: few long pieces have less margins than many short ones.
func (s *sentencePieces) fillStage(ctx context.Context, k, to int) error {
	from := s.filled[k]
	if from >= to {
		return nil
	}
	const growth = 4
	to = min(s.steps, max(to, growth*from))
	out, first, err := s.runStage(ctx, k, from, to)
	if err != nil {
		return err
	}
	for i, name := range s.network.stages[k].Outputs {
		if err := checkSteps(out[i]); err != nil {
			return err
		}
		channels := int(out[i].Shape[1])
		if from == 0 {
			s.values[name] = ort.DenseTensor{
				Shape: []int64{1, int64(channels), int64(s.steps)}, F32: make([]float32, channels*s.steps),
			}
		}
		piece := cutSteps(out[i], from-first, to-first)
		for c := range channels {
			copy(s.values[name].F32[c*s.steps+from:], piece.F32[c*(to-from):(c+1)*(to-from)])
		}
	}
	s.filled[k] = to
	return nil
}

// checkSteps returns an error unless a value is [1, C, T].
func checkSteps(value ort.DenseTensor) error {
	if len(value.Shape) != 3 || value.Shape[0] != 1 || len(value.F32) == 0 {
		return fmt.Errorf("the network's decoder takes the shape %v; want [1, C, T] with T of at least 1", value.Shape)
	}
	return nil
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
