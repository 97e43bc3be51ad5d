package model

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/cpu"
)

// quantizeMatrix rounds a matrix [in, out] to 8 bits from -most to most, with one scale per column.
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

// quantizedMost returns the largest quantized weight. x86 processors without VNNI add products of unsigned and signed
// bytes in pairs of 16 bits, which weights of 8 bits would overflow; there 7 bits are used.
func quantizedMost() float32 {
	if runtime.GOARCH == "amd64" && !cpu.X86.HasAVX512VNNI && !cpu.X86.HasAVXVNNI {
		return 63
	}
	return 127
}

// QuantiseFolder writes the model in a folder of ONNX files into dir, an existing empty folder, with 8-bit weights in
// the encoder's matrix products. The error says why a model can't be quantized.
func QuantiseFolder(f ModelFolder, dir string) error {
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

// quantizeEncoder writes the encoder that was read from a graph. After each layer, forget may release its pages.
func quantizeEncoder(g *onnxGraph, l fileLayout, features int, dir string, forget func()) error {
	r := newReader(g)
	c := r.readConformer()
	switch {
	case g.meta[coreMark] != "":
		return errors.New("it was imported from a checkpoint; import that with --int8")
	case r.failed:
		return errors.New("its graph is not one that NeMo exports for a FastConformer with full context in fp32")
	case len(c.layers[0].before.in.scale) > 0:
		return errors.New("it has 8-bit weights already")
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

// quantizedName returns the encoder's file in the new folder. A CTC model's graph becomes an encoder and a head.
func quantizedName(l fileLayout) string {
	if l.name == "sherpa-onnx" {
		return "encoder.onnx"
	}
	return encoderFile
}

// copyHeads copies all but the encoder: the transducer's graphs, the CTC head, the vocabulary.
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

// storeQuantized writes all weights of an encoder that was read from a file, products with 8 bits, and refers to them.
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
		n.scale, n.shift = w.putTensor(
			typeFloat,
			n.scale.raw,
			n.scale.dims...), w.putTensor(
			typeFloat,
			n.shift.raw,
			n.shift.dims...)
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

// quantizePointwise turns the convolutions of width 1 into products with 8-bit matrices.
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
