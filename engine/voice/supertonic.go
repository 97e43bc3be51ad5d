package voice

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"munadi/engine/model"
	"munadi/engine/ort"
)

// denoisingSteps is how often the latent is refined, as by Supertonic's own runtime. More sound better and take longer.
const denoisingSteps = 8

// The networks of a voice in Supertonic's layout, with what they take and in which order (SupertonicTTS, Kim et al.
// 2025; the interface is that of its runtime, the package supertonic).
var (
	durationPredictor = latentStage{"duration_predictor.onnx", []string{"text_ids", "style_dp", "text_mask"}}
	textEncoder       = latentStage{"text_encoder.onnx", []string{"text_ids", "style_ttl", "text_mask"}}
	vectorEstimator   = latentStage{"vector_estimator.onnx", []string{
		"noisy_latent", "text_emb", "style_ttl", "text_mask", "latent_mask", "current_step", "total_step",
	}}
	vocoder = latentStage{"vocoder.onnx", []string{"latent"}}
)

type latentStage struct {
	file   string
	inputs []string
}

// latentNetwork is a voice in Supertonic's layout: a length and an encoding of the characters, a latent that flow
// matching makes of noise, and a vocoder.
type latentNetwork struct {
	latentShape
	style    voiceStyle
	sessions []*ort.GraphSession // duration, text, vector, vocoder
}

func openCharacterVoice(dir string, options ort.SessionOptions) (*NeuralVoice, error) {
	c, err := describeCharacterVoice(dir)
	if err != nil {
		return nil, err
	}
	v := &NeuralVoice{Config: c}
	n := &latentNetwork{latentShape: c.latent}
	if n.style, err = readStyle(filepath.Join(dir, StyleFile)); err != nil {
		return nil, err
	}
	for _, s := range []latentStage{durationPredictor, textEncoder, vectorEstimator, vocoder} {
		session, parameters, err := s.open(dir, options)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s.file, err), n.Close())
		}
		n.sessions = append(n.sessions, session)
		v.Parameters += parameters
	}
	v.network = n
	return v, nil
}

func (s latentStage) open(dir string, options ort.SessionOptions) (*ort.GraphSession, int64, error) {
	file, err := readRegular(filepath.Join(dir, s.file), maxGraph)
	if err != nil {
		return nil, 0, err
	}
	g, err := model.ReadInterface(file)
	if err != nil {
		return nil, 0, err
	}
	if len(g.Inputs) != len(s.inputs) || len(g.Outputs) == 0 || !hasNames(g.Inputs, s.inputs) {
		return nil, 0, fmt.Errorf("it has the inputs %s; a Supertonic voice has %s", listNames(g.Inputs), listNames(s.inputs))
	}
	session, err := ort.NewSession(ort.ModelGraph{Bytes: file}, s.inputs, g.Outputs[:1], options)
	return session, g.Parameters, err
}

func (n *latentNetwork) synthesizeParts(
	ctx context.Context, ids []int64, s voiceScales, pass func(part []float32, total int) error,
) error {
	return passWhole(ctx, n, ids, s, pass)
}

func (n *latentNetwork) synthesize(ctx context.Context, ids []int64, s voiceScales) ([]float32, error) {
	text := ort.DenseTensor{Shape: []int64{1, int64(len(ids))}, I64: ids}
	mask := onesTensor(len(ids))
	samples, err := n.predictLength(ctx, text, mask, s.length)
	if err != nil {
		return nil, err
	}
	encoded, err := n.sessions[1].Run(ctx, text, n.style.text, mask)
	if err != nil {
		return nil, err
	}
	latent, err := n.refineLatent(ctx, encoded[0], mask, n.stepsFor(samples), s.noise)
	if err != nil {
		return nil, err
	}
	out, err := n.sessions[3].Run(ctx, latent)
	if err != nil {
		return nil, err
	}
	sound, err := checkSamples(out[0], n.rate)
	if err == nil && len(sound) < samples {
		err = fmt.Errorf("the vocoder gives %d samples; the sentence has %d", len(sound), samples)
	}
	if err != nil {
		return nil, err
	}
	return sound[:samples], nil
}

// predictLength returns how many samples a sentence has; length above 1 is slower.
func (n *latentNetwork) predictLength(ctx context.Context, text, mask ort.DenseTensor, length float32) (int, error) {
	out, err := n.sessions[0].Run(ctx, text, n.style.duration, mask)
	if err != nil {
		return 0, err
	}
	if len(out[0].F32) != 1 || !isFinite(out[0].F32[0]) || out[0].F32[0] <= 0 {
		return 0, fmt.Errorf("the duration predictor gives %v; want one number of seconds above 0", out[0].F32)
	}
	samples := int(math.Min(float64(out[0].F32[0]*length*float32(n.rate)), math.MaxInt32))
	return max(samples, 1), checkLength(samples, n.rate)
}

// refineLatent makes a latent [1, D, steps] of noise, guided by the encoded text.
func (n *latentNetwork) refineLatent(
	ctx context.Context, encoded, mask ort.DenseTensor, steps int, noise float32,
) (ort.DenseTensor, error) {
	latent := ort.DenseTensor{Shape: []int64{1, int64(n.channels), int64(steps)}, F32: make([]float32, n.channels*steps)}
	for i := range latent.F32 {
		latent.F32[i] = noise * float32(rand.NormFloat64())
	}
	shape := latent.Shape
	for step := range denoisingSteps {
		out, err := n.sessions[2].Run(ctx, latent, encoded, n.style.text, mask, onesTensor(steps),
			numberTensor(step), numberTensor(denoisingSteps))
		if err != nil {
			return latent, err
		}
		latent = out[0]
		if len(latent.F32) != n.channels*steps {
			return latent, fmt.Errorf("the vector estimator gives the shape %v; want %v", latent.Shape, shape)
		}
	}
	return latent, nil
}

// onesTensor returns a mask [1, 1, n] of a whole sentence.
func onesTensor(n int) ort.DenseTensor {
	ones := make([]float32, n)
	for i := range ones {
		ones[i] = 1
	}
	return ort.DenseTensor{Shape: []int64{1, 1, int64(n)}, F32: ones}
}

func numberTensor(x int) ort.DenseTensor {
	return ort.DenseTensor{Shape: []int64{1}, F32: []float32{float32(x)}}
}

// Close frees the sessions.
func (n *latentNetwork) Close() (err error) {
	for _, session := range n.sessions {
		err = errors.Join(err, session.Close())
	}
	return err
}
