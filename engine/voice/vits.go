package voice

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"munadi/engine/model"
	"munadi/engine/ort"
)

// Extensions of the files of a voice in Piper's layout.
const (
	GraphExt  = ".onnx"
	ConfigExt = ".onnx.json"
)

// vitsNetwork is the network of a voice in Piper's layout.
type vitsNetwork struct {
	session  *ort.GraphSession
	outputs  []string     // of the session
	stages   []pieceStage // what makes sound of them; none: the session gives sound
	speakers bool         // the network takes a speaker's id
	speaker  int64
	rate     int // Hz
}

// FindFiles returns the paths of the one voice in Piper's layout in a folder.
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

// readConfig reads the description of a voice in Piper's layout.
func readConfig(path string) (Config, error) {
	text, err := readRegular(path, maxConfig)
	if err != nil {
		return Config{}, fmt.Errorf("the voice's description: %w", err)
	}
	c, err := ParseConfig(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return c, nil
}

func openFiles(graph, config string, options ort.SessionOptions) (*NeuralVoice, error) {
	c, err := readConfig(config)
	if err != nil {
		return nil, err
	}
	file, err := readRegular(graph, maxGraph)
	if err != nil {
		return nil, err
	}
	v, err := openGraph(file, c, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(graph), err)
	}
	return v, nil
}

func openGraph(file []byte, c Config, options ort.SessionOptions) (*NeuralVoice, error) {
	g, err := model.ReadInterface(file)
	if err != nil {
		return nil, err
	}
	inputs := []string{"input", "input_lengths", "scales"}
	n := &vitsNetwork{speakers: slices.Contains(g.Inputs, "sid"), speaker: int64(c.Speaker), rate: c.SampleRate}
	if n.speakers {
		inputs = append(inputs, "sid")
	}
	if len(g.Inputs) != len(inputs) || len(g.Outputs) == 0 || !hasNames(g.Inputs, inputs) {
		return nil, fmt.Errorf("it has the inputs %s and the outputs %s; a Piper voice has input, input_lengths, scales, "+
			"with several speakers sid, and output", listNames(g.Inputs), listNames(g.Outputs))
	}
	if err := n.openSessions(file, inputs, g.Outputs[:1], options); err != nil {
		return nil, err
	}
	return &NeuralVoice{Config: c, Parameters: g.Parameters, network: n}, nil
}

// hasNames reports whether all names are in a list.
func hasNames(list, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(list, name) })
}

// openSessions opens the network, its flow and decoder apart where they can run piece by piece.
func (n *vitsNetwork) openSessions(file []byte, inputs, outputs []string, options ort.SessionOptions) error {
	cut, found, err := model.SplitTail(file)
	switch {
	case err != nil:
		return err
	case found:
		return n.openStages(cut, inputs, options)
	}
	n.session, err = ort.NewSession(ort.ModelGraph{Bytes: file}, inputs, outputs, options)
	return err
}

func (n *vitsNetwork) synthesize(ctx context.Context, ids []int64, s voiceScales) ([]float32, error) {
	values, err := n.runHead(ctx, ids, s)
	if err != nil {
		return nil, err
	}
	if len(n.stages) == 0 {
		return checkSamples(values[0], n.rate)
	}
	pieces, err := n.newPieces(values)
	if err != nil {
		return nil, err
	}
	return pieces.decodeSpan(ctx, 0, pieces.steps)
}

func (n *vitsNetwork) synthesizeParts(
	ctx context.Context, ids []int64, s voiceScales, pass func(part []float32, total int) error,
) error {
	if len(n.stages) == 0 {
		return passWhole(ctx, n, ids, s, pass)
	}
	values, err := n.runHead(ctx, ids, s)
	if err != nil {
		return err
	}
	pieces, err := n.newPieces(values)
	if err != nil {
		return err
	}
	return pieces.passParts(ctx, pass)
}

// runHead runs the network, or what is before its stages.
func (n *vitsNetwork) runHead(ctx context.Context, ids []int64, s voiceScales) ([]ort.DenseTensor, error) {
	count := int64(len(ids))
	in := []ort.DenseTensor{
		{Shape: []int64{1, count}, I64: ids},
		{Shape: []int64{1}, I64: []int64{count}},
		{Shape: []int64{3}, F32: []float32{s.noise, s.length, s.noiseW}},
	}
	if n.speakers {
		in = append(in, ort.DenseTensor{Shape: []int64{1}, I64: []int64{n.speaker}})
	}
	return n.session.Run(ctx, in...)
}

// Close frees the sessions.
func (n *vitsNetwork) Close() error {
	err := n.session.Close()
	for _, stage := range n.stages {
		err = errors.Join(err, stage.session.Close())
	}
	return err
}
