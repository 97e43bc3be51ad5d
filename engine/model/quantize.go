package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"
)

// quantizeMatrix quantizes a matrix [in, out] to 8-bit values from -most to most, with one scale per column.
func quantizeMatrix(v []float32, in, out int, most float32) (raw []byte, scale []float32) {
	raw, scale = make([]byte, len(v)), make([]float32, out)
	for row := range in {
		for column, x := range v[row*out : (row+1)*out] {
			scale[column] = max(scale[column], float32(math.Abs(float64(x))))
		}
	}
	for column := range scale {
		if scale[column] /= most; scale[column] == 0 {
			scale[column] = 1
		}
	}
	for i, x := range v {
		raw[i] = byte(int8(math.RoundToEven(float64(x / scale[i%out]))))
	}
	return raw, scale
}

// QuantizeFolder writes the model in a folder of ONNX files into dir, an existing empty folder, with 8-bit weights in
// the encoder's matrix products. The error says why a model cannot be quantized.
func QuantizeFolder(f ModelFolder, dir string) error {
	l, err := findLayout(f, FP32)
	if err != nil {
		return err
	}
	encoder, err := f.openFile(l.encoder)
	if err != nil {
		return err
	}
	defer encoder.close()
	m := &SpeechModel{}
	if err := m.readDescription(f, l); err != nil {
		return err
	}
	g, err := parseGraph(encoder.bytes)
	if err != nil {
		return fmt.Errorf("%s: %w", l.encoder, err)
	}
	if g.meta[coreMark] != "" {
		return quantizeImported(f, l, g, encoder.bytes, dir)
	}
	if m.ModelConfig, err = readConfig(f, g); err != nil {
		return err
	}
	if err := m.copyHeads(f, l, g, dir); err != nil {
		return err
	}
	encoder.dropPages()
	if err := quantizeEncoder(g, l, m.Features, dir, encoder.dropPages); err != nil {
		return fmt.Errorf("%s: %w", l.encoder, err)
	}
	return writeJSON(filepath.Join(dir, "config.json"), map[string]any{
		"features_size": m.Features, "subsampling_factor": m.Subsampling,
	})
}

// errEightBits means that there is nothing to quantize.
var errEightBits = errors.New("it already has 8-bit weights")

// quantizeEncoder writes the encoder of a graph with 8-bit weights. It calls forget after each layer, to release pages.
func quantizeEncoder(g *onnxGraph, l fileLayout, features int, dir string, forget func()) error {
	r := newReader(g)
	c := r.readConformer()
	switch {
	case r.failed:
		return errors.New("its graph is not NeMo's export of a FastConformer with full context in fp32")
	case len(c.layers[0].before.in.scale) > 0:
		return errEightBits
	}
	name := quantizedName(l)
	w, err := newWeightWriter(filepath.Join(dir, name+dataSuffix))
	if err != nil {
		return err
	}
	err = errors.Join(w.storeQuantized(&c, forget), w.Close())
	if err != nil {
		return err
	}
	c.result = "munadi.core"
	width := int(c.layers[0].norm.scale.dims[0])
	return os.WriteFile(filepath.Join(dir, name), encoderGraph(c, name+dataSuffix, features, width), 0o600)
}

// quantizedName returns the encoder's file name in the new folder. A CTC model's graph is split into encoder and head.
func quantizedName(l fileLayout) string {
	if l.name == "sherpa-onnx" {
		return "encoder.onnx"
	}
	return encoderFile
}

// copyHeads copies everything except the encoder: the transducer's graphs, the CTC head, the vocabulary.
func (m *SpeechModel) copyHeads(f ModelFolder, l fileLayout, encoder *onnxGraph, dir string) error {
	var errs []error
	for _, name := range append([]string{"tokenizer.model", "munadi.json", verifierFile}, l.fileNames()...) {
		if _, err := fs.Stat(f.fsys, name); err != nil || name == l.encoder || name == l.ctc {
			continue
		}
		errs = append(errs, copyFile(f.fsys, name, filepath.Join(dir, name)))
	}
	if l.ctc != "" {
		h, err := m.ctcHead(f, l.ctc, encoder)
		if err != nil {
			return fmt.Errorf("%s: %w", l.ctc, err)
		}
		w := transposeMatrix(h.w, h.in, h.out)
		errs = append(errs, os.WriteFile(filepath.Join(dir, ctcFile), ctcGraph(w, h.b, int64(h.in)), 0o600))
	}
	return errors.Join(errs...)
}

// storeQuantized writes all weights of an encoder, matrix products with 8 bits, and replaces them by references.
func (w *weightWriter) storeQuantized(c *conformerEncoder, forget func()) error {
	for n, weights := range c.subsampling.w {
		for i, t := range weights {
			if len(t.dims) > 0 {
				weights[i] = w.putTensor(t.typ, t.raw, t.dims...)
			}
		}
		c.subsampling.w[n] = weights
	}
	err := w.quantizeProduct(&c.subsampling.out)
	c.positions.table = w.putTensor(typeFloat, c.positions.table.raw, c.positions.table.dims...)
	for i := range c.layers {
		err = errors.Join(err, w.storeLayer(&c.layers[i]))
		forget()
	}
	return err
}

func (w *weightWriter) storeLayer(l *conformerLayer) error {
	for _, n := range []*layerNorm{&l.before.norm, &l.attend.norm, &l.local.norm, &l.after.norm, &l.norm} {
		n.scale = w.putTensor(typeFloat, n.scale.raw, n.scale.dims...)
		n.shift = w.putTensor(typeFloat, n.shift.raw, n.shift.dims...)
	}
	l.local.kernel = w.putTensor(typeFloat, l.local.kernel.raw, l.local.kernel.dims...)
	a := &l.attend
	var err error
	for _, product := range []*affineMap{
		&l.before.in, &l.before.out, &a.query, &a.key, &a.value, &a.distance, &a.out, &l.after.in, &l.after.out,
	} {
		err = errors.Join(err, w.quantizeProduct(product))
	}
	return errors.Join(err, w.quantizePointwise(&l.local))
}

// quantizeProduct replaces a product's matrix by its 8-bit form.
func (w *weightWriter) quantizeProduct(a *affineMap) error {
	v, err := a.w.toFloat32s()
	if err == nil {
		*a = w.putAffine(v, a.b, a.w.dims[0], a.w.dims[1], true)
	}
	return err
}

// quantizePointwise replaces the convolutions of width 1 by products with 8-bit matrices.
func (w *weightWriter) quantizePointwise(c *convolutionModule) error {
	first, err := c.in.w.toFloat32s()
	if err != nil {
		return err
	}
	last, err := c.out.w.toFloat32s()
	if err != nil {
		return err
	}
	c.products = w.putPointwise(first, c.in.b, last, c.out.b, int(c.in.w.dims[1]), true)
	return nil
}

// putPointwise appends the matrices of a convolution module of width d: first is [2d, d], last [d, d].
func (w *weightWriter) putPointwise(first, firstBias, last, lastBias []float32, d int, int8 bool) *pointwiseSet {
	put := func(v, bias []float32) affineMap {
		return w.putAffine(transposeMatrix(v, d, d), bias, int64(d), int64(d), int8)
	}
	return &pointwiseSet{
		value: put(first[:d*d], partOf(firstBias, 0, d)), gate: put(first[d*d:], partOf(firstBias, 1, d)),
		out: put(last, lastBias),
	}
}

func copyFile(fsys fs.FS, name, path string) error {
	in, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// largestWeight is the largest quantized weight. x86 processors without VNNI add two products of unsigned and signed
// bytes in 16 bits (vpmaddubsw), which saturates beyond 2·255·64; one file must serve every processor.
const largestWeight = 63

// saturatesFrom is the absolute signed 8-bit weight from which such a sum can saturate.
const saturatesFrom = 65

// AddsIn16Bits reports whether this processor adds products of bytes in 16 bits.
func AddsIn16Bits() bool {
	return runtime.GOARCH == "amd64" && !cpu.X86.HasAVX512VNNI && !cpu.X86.HasAVXVNNI
}

// hasWideWeights reports whether signed 8-bit weights of a graph can saturate where products are added in 16 bits.
// Weights that cannot be found are left out: the graph does not load then.
func hasWideWeights(f ModelFolder, g *onnxGraph, encoder string) bool {
	data := fileBytes{close: func() {}}
	defer func() {
		data.dropPages()
		data.close()
	}()
	for _, n := range g.nodes {
		if n.op != "MatMulInteger" || len(n.in) < 2 || g.tensors[n.in[1]].typ != typeInt8 {
			continue
		}
		t := g.tensors[n.in[1]]
		if t.external && data.bytes == nil {
			b, err := f.openFile(encoder + dataSuffix)
			if err != nil {
				return false
			}
			data = b
		}
		if t.external {
			end := t.at + int(t.elementCount())
			if t.at < 0 || end < t.at || end > len(data.bytes) {
				return false
			}
			t.raw = data.bytes[t.at:end]
		}
		if hasWideByte(t.raw) {
			return true
		}
	}
	return false
}

// hasWideByte reports whether a signed byte is at least saturatesFrom or at most its negative. Eight bytes are compared
// at once: a large model has a hundred million.
func hasWideByte(raw []byte) bool {
	const high, low, shift = 0x80 * ones, 0x7f * ones, (saturatesFrom - 1) * ones
	for ; len(raw) >= 8; raw = raw[8:] {
		v := binary.LittleEndian.Uint64(raw)
		v = (v&low + shift) ^ (v & high) // each byte plus saturatesFrom−1: a narrow one is now at most 128
		if v&high&(v&low+low) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(raw, func(b byte) bool { return int8(b) >= saturatesFrom || int8(b) <= -saturatesFrom })
}

// ones is a word of eight bytes 1.
const ones = 0x0101_0101_0101_0101
