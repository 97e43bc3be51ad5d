package voice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"munadi/engine/model"
	"munadi/engine/ort"
)

// Limits of a voice.
const (
	maxGraph  = 512 << 20 // bytes of the network
	maxIDs    = 4000      // of one sentence: some 1,900 characters
	maxSecond = 240       // of one sentence's sound
)

// Extensions of a voice's files.
const (
	GraphExt  = ".onnx"
	ConfigExt = ".onnx.json"
)

// NeuralVoice is an open voice. It is safe for concurrent use.
type NeuralVoice struct {
	Config
	Parameters int64

	session *ort.GraphSession
	outputs []string     // of the session
	stages  []pieceStage // what makes sound of them; none: the session gives sound
	speaker bool         // the network takes a speaker's id
}

// FindFiles returns the paths of the one voice in a folder.
func FindFiles(dir string) (graph, config string, err error) {
	literal := strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
	found, err := filepath.Glob(filepath.Join(literal, "*"+GraphExt))
	if err != nil {
		return "", "", err
	}
	if len(found) != 1 {
		return "", "", fmt.Errorf("%s has %d files *%s; a voice is one, with its description *%s beside it", dir, len(found),
			GraphExt, ConfigExt)
	}
	return found[0], found[0] + ".json", nil
}

// OpenFolder opens the voice in a folder. ONNX Runtime must be loaded; threads is how many compute one sentence.
func OpenFolder(dir string, threads int) (*NeuralVoice, error) {
	graph, config, err := FindFiles(dir)
	if err != nil {
		return nil, err
	}
	return OpenFiles(graph, config, threads)
}

// OpenFiles is [OpenFolder] for the two files of a voice.
func OpenFiles(graph, config string, threads int) (*NeuralVoice, error) {
	text, err := readRegular(config, maxConfig)
	if err != nil {
		return nil, fmt.Errorf("the voice's description: %w", err)
	}
	c, err := ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(config), err)
	}
	file, err := readRegular(graph, maxGraph)
	if err != nil {
		return nil, err
	}
	v, err := openGraph(file, c, threads)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(graph), err)
	}
	return v, nil
}

// readRegular reads a regular file of limited size: a pipe or a device could block forever.
func readRegular(path string, most int64) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > most {
		return nil, fmt.Errorf("%s: want a regular file of at most %d MiB", filepath.Base(path), most>>20)
	}
	return os.ReadFile(path)
}

func openGraph(file []byte, c Config, threads int) (*NeuralVoice, error) {
	g, err := model.ReadInterface(file)
	if err != nil {
		return nil, err
	}
	inputs := []string{"input", "input_lengths", "scales"}
	speaker := slices.Contains(g.Inputs, "sid")
	if speaker {
		inputs = append(inputs, "sid")
	}
	if len(g.Inputs) != len(inputs) || len(g.Outputs) == 0 ||
		slices.ContainsFunc(inputs, func(name string) bool { return !slices.Contains(g.Inputs, name) }) {
		return nil, fmt.Errorf("it has the inputs %s and the outputs %s; a Piper voice has input, input_lengths, scales, "+
			"with several speakers sid, and output", listNames(g.Inputs), listNames(g.Outputs))
	}
	v := &NeuralVoice{Config: c, Parameters: g.Parameters, speaker: speaker}
	return v, v.openSessions(file, inputs, g.Outputs[:1], ort.SessionOptions{Threads: threads})
}

// openSessions opens the network, its flow and decoder apart where they can run piece by piece.
func (v *NeuralVoice) openSessions(file []byte, inputs, outputs []string, options ort.SessionOptions) error {
	cut, found, err := model.SplitTail(file)
	switch {
	case err != nil:
		return err
	case found:
		return v.openStages(cut, inputs, options)
	}
	v.session, err = ort.NewSession(ort.ModelGraph{Bytes: file}, inputs, outputs, options)
	return err
}

func listNames(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	return cleanLine(strings.Join(names, ", "))
}

// ErrTooLong means that a sentence has too many phonemes to be spoken at once.
var ErrTooLong = errors.New("the sentence is too long to be spoken at once")

// Synthesize returns the samples of a sentence's phoneme ids at the voice's sample rate, with the description's scales.
func (v *NeuralVoice) Synthesize(ctx context.Context, ids []int64) ([]float32, error) {
	return v.SynthesizeScaled(ctx, ids, v.Noise, v.Length, v.NoiseW)
}

// SynthesizeScaled is [NeuralVoice.Synthesize] with other scales; without noise the sound is always the same.
func (v *NeuralVoice) SynthesizeScaled(
	ctx context.Context, ids []int64, noise, length, noiseW float32,
) (samples []float32, err error) {
	values, err := v.runHead(ctx, ids, noise, length, noiseW)
	if err != nil {
		return nil, err
	}
	if len(v.stages) == 0 {
		return v.checkSamples(values[0])
	}
	pieces, err := v.newPieces(values)
	if err != nil {
		return nil, err
	}
	return pieces.decodeSpan(ctx, 0, pieces.steps)
}

// SynthesizeParts passes the samples of [NeuralVoice.Synthesize] on while the rest is computed: first few of them, then
// more at once. total is how many the sentence has. A network whose decoder is not known gives one part.
func (v *NeuralVoice) SynthesizeParts(
	ctx context.Context, ids []int64, pass func(part []float32, total int) error,
) error {
	values, err := v.runHead(ctx, ids, v.Noise, v.Length, v.NoiseW)
	if err != nil {
		return err
	}
	if len(v.stages) == 0 {
		samples, err := v.checkSamples(values[0])
		if err != nil {
			return err
		}
		return pass(samples, len(samples))
	}
	pieces, err := v.newPieces(values)
	if err != nil {
		return err
	}
	steps := pieces.steps
	for from, n := 0, firstSteps; from < steps; n *= 2 {
		to := min(from+n, steps)
		if steps-to < n/2 { // a short rest has more margins than sound
			to = steps
		}
		part, err := pieces.decodeSpan(ctx, from, to)
		if err == nil {
			err = pass(part, pieces.samples())
		}
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// runHead runs the network, or what is before its stages.
func (v *NeuralVoice) runHead(
	ctx context.Context, ids []int64, noise, length, noiseW float32,
) ([]ort.DenseTensor, error) {
	if len(ids) == 0 || len(ids) > maxIDs {
		return nil, fmt.Errorf("%w: %d phoneme ids, 1 to %d are accepted", ErrTooLong, len(ids), maxIDs)
	}
	n := int64(len(ids))
	in := []ort.DenseTensor{
		{Shape: []int64{1, n}, I64: ids},
		{Shape: []int64{1}, I64: []int64{n}},
		{Shape: []int64{3}, F32: []float32{noise, length, noiseW}},
	}
	if v.speaker {
		in = append(in, ort.DenseTensor{Shape: []int64{1}, I64: []int64{int64(v.Speaker)}})
	}
	return v.session.Run(ctx, in...)
}

// checkSamples returns the samples of an output [1, 1, 1, N]; leading sizes of 1 may be fewer.
func (v *NeuralVoice) checkSamples(out ort.DenseTensor) ([]float32, error) {
	n := int64(len(out.F32))
	if len(out.Shape) == 0 || out.Shape[len(out.Shape)-1] != n {
		return nil, fmt.Errorf("the network's output has the shape %v; want [1, 1, 1, N] samples as 32-bit numbers",
			out.Shape)
	}
	if err := v.checkLength(int(n)); err != nil {
		return nil, err
	}
	for i, x := range out.F32 {
		if !isFinite(x) {
			return nil, fmt.Errorf("the network's output has no number at sample %d: its weights are damaged", i)
		}
	}
	return out.F32, nil
}

func (v *NeuralVoice) checkLength(samples int) error {
	if samples > maxSecond*v.SampleRate {
		return fmt.Errorf("the network's output is longer than %d s of sound", maxSecond)
	}
	return nil
}

// Close frees the sessions. No Synthesize may be active.
func (v *NeuralVoice) Close() error {
	err := v.session.Close()
	for _, stage := range v.stages {
		err = errors.Join(err, stage.session.Close())
	}
	return err
}
