package voice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"munadi/engine/ort"
)

// Limits of a voice.
const (
	maxGraph  = 512 << 20 // bytes of a network
	maxIDs    = 4000      // of one sentence: some 1,900 characters
	maxSecond = 240       // of one sentence's sound
)

// NeuralVoice is an open voice. It is safe for concurrent use.
type NeuralVoice struct {
	Config
	Parameters int64

	network voiceNetwork
}

// voiceNetwork makes samples of ids, with any scales.
type voiceNetwork interface {
	// synthesize returns the samples of a sentence.
	synthesize(ctx context.Context, ids []int64, s voiceScales) ([]float32, error)
	// synthesizeParts passes the samples on while the rest is computed; total is how many the sentence has.
	synthesizeParts(ctx context.Context, ids []int64, s voiceScales, pass func(part []float32, total int) error) error
	Close() error
}

// passWhole is synthesizeParts of a network that computes a sentence as a whole.
func passWhole(
	ctx context.Context, n voiceNetwork, ids []int64, s voiceScales, pass func(part []float32, total int) error,
) error {
	samples, err := n.synthesize(ctx, ids, s)
	if err != nil {
		return err
	}
	return pass(samples, len(samples))
}

// voiceScales vary a sentence: [Config.Noise], [Config.Length] and [Config.NoiseW].
type voiceScales struct{ noise, length, noiseW float32 }

// OpenFolder opens the voice in a folder, of either layout. ONNX Runtime must be loaded; threads is how many compute
// one sentence.
func OpenFolder(dir string, threads int) (*NeuralVoice, error) {
	options := ort.SessionOptions{Threads: threads}
	if isCharacterVoice(dir) {
		return openCharacterVoice(dir, options)
	}
	graph, config, err := FindFiles(dir)
	if err != nil {
		return nil, err
	}
	return openFiles(graph, config, options)
}

// DescribeFolder reads the description of the voice in a folder, without its networks.
func DescribeFolder(dir string) (Config, error) {
	if isCharacterVoice(dir) {
		return describeCharacterVoice(dir)
	}
	_, config, err := FindFiles(dir)
	if err != nil {
		return Config{}, err
	}
	return readConfig(config)
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
	if err := checkIDCount(ids); err != nil {
		return nil, err
	}
	return v.network.synthesize(ctx, ids, voiceScales{noise, length, noiseW})
}

// SynthesizeParts passes the samples of [NeuralVoice.Synthesize] on while the rest is computed: first few of them, then
// more at once. total is how many the sentence has. A network that can't gives one part.
func (v *NeuralVoice) SynthesizeParts(
	ctx context.Context, ids []int64, pass func(part []float32, total int) error,
) error {
	if err := checkIDCount(ids); err != nil {
		return err
	}
	return v.network.synthesizeParts(ctx, ids, voiceScales{v.Noise, v.Length, v.NoiseW}, pass)
}

func checkIDCount(ids []int64) error {
	if len(ids) == 0 || len(ids) > maxIDs {
		return fmt.Errorf("%w: %d phoneme ids, 1 to %d are accepted", ErrTooLong, len(ids), maxIDs)
	}
	return nil
}

// checkSamples returns the samples of an output [1, 1, 1, N]; leading sizes of 1 may be fewer.
func checkSamples(out ort.DenseTensor, rate int) ([]float32, error) {
	n := int64(len(out.F32))
	if len(out.Shape) == 0 || out.Shape[len(out.Shape)-1] != n {
		return nil, fmt.Errorf("the network's output has the shape %v; want [1, 1, 1, N] samples as 32-bit numbers",
			out.Shape)
	}
	if err := checkLength(int(n), rate); err != nil {
		return nil, err
	}
	for i, x := range out.F32 {
		if !isFinite(x) {
			return nil, fmt.Errorf("the network's output has no number at sample %d: its weights are damaged", i)
		}
	}
	return out.F32, nil
}

func checkLength(samples, rate int) error {
	if samples > maxSecond*rate {
		return fmt.Errorf("the network's output is longer than %d s of sound", maxSecond)
	}
	return nil
}

// Close frees the sessions. No Synthesize may be active.
func (v *NeuralVoice) Close() error { return v.network.Close() }
