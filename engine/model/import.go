package model

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"munadi/engine/nemo"
	"munadi/engine/tokenizer"
)

// Files of an imported model.
const (
	encoderFile    = "encoder-model.onnx"
	dataSuffix     = ".data" // after the encoder's file name: its weights, as external data
	predictionFile = "decoder_joint-model.onnx"
	ctcFile        = "ctc-head.onnx"
)

// ImportOptions configures the conversion of a checkpoint.
type ImportOptions struct {
	Name string // of the model; empty: its folder's
	Int8 bool   // the encoder's matrix products get 8-bit weights
}

// ImportCheckpoint writes the model of a NeMo checkpoint into dir, an existing folder, as one that OpenModel reads.
// The encoder is written as this package's own graph, of valid frames only; its weights are written one by one to a
// separate file, so that only one is in memory. The error names what cannot be imported.
func ImportCheckpoint(c *nemo.NeMoCheckpoint, dir string, o ImportOptions) error {
	im := &checkpointImporter{checkpoint: c, dir: dir, name: o.Name, int8: o.Int8}
	if err := im.writeVocabulary(); err != nil {
		return err
	}
	for _, step := range []func() error{
		im.writeTransducer, im.ctcHead, im.writeEncoder, im.checkUnused, im.writeDescription,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checkpointImporter holds the state of an import. err is the first weight that is missing or has wrong dimensions;
// graphs built after it are invalid.
type checkpointImporter struct {
	checkpoint *nemo.NeMoCheckpoint
	dir        string
	name       string
	int8       bool
	pieces     int // of the vocabulary, without the blank
	width      int // of the encoder's output
	labels     int // outputs of the joint
	rnnt       bool
	weights    *weightWriter
	err        error
}

// writeVocabulary writes tokenizer.model and vocab.txt.
func (im *checkpointImporter) writeVocabulary() error {
	b, err := im.checkpoint.TokenizerModel()
	if err != nil {
		return err
	}
	t, err := tokenizer.FromSentencePiece(b)
	if err != nil {
		return fmt.Errorf("%s: %w", im.checkpoint.Tokenizer, err)
	}
	im.pieces = t.VocabularySize()
	if repeated := im.checkpoint.Vocabulary; repeated != nil && len(repeated) != im.pieces {
		return fmt.Errorf("the tokenizer has %d pieces, model_config.yaml lists %d", im.pieces, len(repeated))
	}
	var lines strings.Builder
	for id := range im.pieces {
		fmt.Fprintf(&lines, "%s %d\n", t.PieceText(id), id)
	}
	fmt.Fprintf(&lines, "<blk> %d\n", im.pieces)
	return errors.Join(im.writeFile("tokenizer.model", b), im.writeFile("vocab.txt", []byte(lines.String())))
}

func (im *checkpointImporter) writeFile(name string, b []byte) error {
	return os.WriteFile(filepath.Join(im.dir, name), b, 0o600)
}

// readNumbers reads a weight of the given sizes.
func (im *checkpointImporter) readNumbers(name string, shape ...int64) []float32 {
	n := int64(1)
	for _, size := range shape {
		n *= size
	}
	if im.err == nil {
		var v []float32
		if v, im.err = im.checkpoint.TensorNumbers(name, shape...); im.err == nil {
			if im.err = checkFinite(name, v); im.err == nil {
				return v
			}
		}
	}
	return nil
}

// checkFinite refuses a weight with NaN or infinite values.
func checkFinite(name string, v []float32) error {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("the weight %s has NaN or infinite values; the checkpoint is damaged", name)
		}
	}
	return nil
}

// readOptional is readNumbers for an optional weight; nil if it is missing.
func (im *checkpointImporter) readOptional(name string, shape ...int64) []float32 {
	if !im.checkpoint.HasTensor(name) {
		return nil
	}
	return im.readNumbers(name, shape...)
}

// readMatrix reads torch's [out, in] as [in, out].
func (im *checkpointImporter) readMatrix(name string, out, in int64) []float32 {
	w := im.readNumbers(name, out, in)
	if im.err != nil {
		return nil
	}
	return transposeMatrix(w, int(out), int(in))
}

// checkUnused refuses a checkpoint with parts that were not imported: results would differ from NeMo's.
func (im *checkpointImporter) checkUnused() error {
	unused := im.checkpoint.UnusedTensors("preprocessor.", "spec_augment", "loss.", "ctc_loss.", "wer.", "ctc_wer.")
	for _, name := range unused {
		if !strings.HasSuffix(name, ".num_batches_tracked") {
			return fmt.Errorf("the checkpoint has the weight %s, which belongs to a part that cannot be imported", name)
		}
	}
	return nil
}

// writeDescription writes config.json, which onnx-asr reads too, and munadi.json.
func (im *checkpointImporter) writeDescription() error {
	c := im.checkpoint
	kind := "nemo-conformer-rnnt"
	switch {
	case !im.rnnt:
		kind = "nemo-conformer-ctc"
	case im.isTDT():
		kind = "nemo-conformer-tdt"
	}
	own := ModelConfig{
		Name:         im.name,
		Decoding:     DecodingConfig{Strategy: "greedy_batch", BeamSize: 4, MaxSymbols: c.MaxSymbols},
		MaxFrames:    im.maxFrames(),
		Causal:       c.Encoder.Causal,
		Preprocessor: preprocessorOf(c),
		Streaming:    streamingConfigOf(c.Encoder),
		Prompts:      im.promptConfigOf(),
		Origin:       strings.Join(strings.Fields("NeMo "+c.Version+" "+c.Class), " "),
	}
	if im.isTDT() {
		own.Decoding.Durations = c.Durations
	}
	return errors.Join(
		writeJSON(filepath.Join(im.dir, "munadi.json"), own),
		writeJSON(filepath.Join(im.dir, "config.json"), map[string]any{
			"model_type": kind, "features_size": c.Encoder.Features, "subsampling_factor": c.Encoder.Factor,
			"max_tokens_per_step": c.MaxSymbols,
		}))
}

// writeJSON writes a value to a new file.
func writeJSON(path string, value any) error {
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

// isTDT reports whether the joint has outputs for durations.
func (im *checkpointImporter) isTDT() bool { return im.rnnt && im.labels > im.pieces+1 }

// maxSeconds is the longest speech that an imported model's position table supports; the engine encodes at most 60 s at
// once.
const maxSeconds = 80

// maxFrames returns the number of encoder frames in maxSeconds.
func (im *checkpointImporter) maxFrames() int { return maxSeconds * 100 / im.checkpoint.Encoder.Factor }

// preprocessorOf returns the features' settings in a model folder.
func preprocessorOf(c *nemo.NeMoCheckpoint) *PreprocessorConfig {
	f := c.Features
	return &PreprocessorConfig{
		Precision: c.HalfPrecision("preprocessor.featurizer.fb"),
		Window:    f.Window, Length: f.Length, Emphasis: f.Emphasis, Normalize: f.Normalize, Mean: f.Mean, Std: f.Std,
	}
}

// weightWriter appends weights to the file of a graph's external data (ONNX).
type weightWriter struct {
	file *os.File
	out  *bufio.Writer
	at   int
	err  error
}

func newWeightWriter(path string) (*weightWriter, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &weightWriter{file: file, out: bufio.NewWriterSize(file, 1<<20)}, nil
}

// alignment of weights in the file, in bytes: a cache line.
const alignment = 64

// putTensor appends a tensor's bytes and returns the tensor with its offset. Small ones are not written and keep their
// bytes, which are stored in the graph.
func (w *weightWriter) putTensor(typ int, raw []byte, dims ...int64) graphTensor {
	if len(raw) <= externalFrom {
		return graphTensor{typ: typ, dims: dims, raw: raw}
	}
	if pad := -w.at & (alignment - 1); pad > 0 {
		w.writeBytes(make([]byte, pad))
	}
	t := graphTensor{typ: typ, dims: dims, at: w.at}
	w.writeBytes(raw)
	return t
}

// putFloats appends float32 numbers.
func (w *weightWriter) putFloats(v []float32, dims ...int64) graphTensor {
	raw := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(x))
	}
	return w.putTensor(typeFloat, raw, dims...)
}

func (w *weightWriter) writeBytes(b []byte) {
	n, err := w.out.Write(b)
	w.at += n
	w.err = errors.Join(w.err, err)
}

// Close writes the remaining buffer.
func (w *weightWriter) Close() error {
	return errors.Join(w.err, w.out.Flush(), w.file.Sync(), w.file.Close())
}

// putAffine appends the matrix [in, out] of a product, quantized to 8 bits if int8 is set.
func (w *weightWriter) putAffine(v, bias []float32, in, out int64, int8 bool) affineMap {
	if !int8 {
		return affineMap{w: w.putFloats(v, in, out), b: bias}
	}
	raw, scale := quantizeMatrix(v, int(in), int(out), largestWeight)
	return affineMap{w: w.putTensor(typeInt8, raw, in, out), b: bias, scale: scale, zero: make([]byte, out)}
}
