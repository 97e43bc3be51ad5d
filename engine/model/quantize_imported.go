package model

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// importedQuantizer rewrites an encoder that this package wrote from a checkpoint: each product with a constant matrix,
// Gemm(x, w, b) with w as [in, out], gets 8-bit weights. All else stays: convolutions, norms, and the projection of
// distances where it is computed in every run.
type importedQuantizer struct {
	graph   *onnxGraph
	data    fileBytes       // the weights
	dropped map[string]bool // initializers that are replaced
	emitter graphEmitter
	weights *weightWriter
}

// firstNewName is far above the numbers of the values that the encoder has.
const firstNewName = 1 << 20

// quantizeImported writes the encoder with 8-bit weights into dir, and copies the other files of the model.
func quantizeImported(f ModelFolder, l fileLayout, g *onnxGraph, encoder []byte, dir string) error {
	if g.hasOperator("MatMulInteger") {
		return errEightBits
	}
	data, err := f.openFile(l.encoder + dataSuffix)
	if err != nil {
		return err
	}
	defer data.close()
	w, err := newWeightWriter(filepath.Join(dir, encoderFile+dataSuffix))
	if err != nil {
		return err
	}
	q := &importedQuantizer{
		graph: g, data: data, dropped: map[string]bool{}, weights: w,
		emitter: graphEmitter{file: encoderFile + dataSuffix, bytes: map[string][]string{}, names: firstNewName},
	}
	q.findProducts()
	model, err := q.rewriteModel(encoder)
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("%s: %w", l.encoder, err)
	}
	if err := os.WriteFile(filepath.Join(dir, encoderFile), model, 0o600); err != nil {
		return err
	}
	var errs []error
	others := []string{"tokenizer.model", "munadi.json", "config.json", verifierFile}
	for _, name := range append(others, l.fileNames()...) {
		if _, err := fs.Stat(f.fsys, name); err == nil && name != l.encoder {
			errs = append(errs, copyFile(f.fsys, name, filepath.Join(dir, name)))
		}
	}
	return errors.Join(errs...)
}

// findProducts marks the matrices and biases that rewriteProduct replaces.
func (q *importedQuantizer) findProducts() {
	for _, n := range q.graph.nodes {
		if q.isProduct(n) {
			for _, name := range n.in[1:] {
				q.dropped[name] = true
			}
		}
	}
}

// isProduct reports whether a node is a product with a constant matrix.
func (q *importedQuantizer) isProduct(n operatorNode) bool {
	if n.op != "Gemm" || n.ints["transB"] != 0 {
		return false
	}
	w, known := q.graph.tensors[n.in[1]]
	return known && w.typ == typeFloat && len(w.dims) == 2
}

// rewriteModel returns the ModelProto with its graph rewritten.
func (q *importedQuantizer) rewriteModel(encoder []byte) (out []byte, err error) {
	err = eachField(encoder, 0, func(f protoField) error {
		if f.num != modelGraph {
			out = append(out, f.raw...)
			return nil
		}
		g, err := q.rewriteGraph(f)
		out = appendMessage(out, modelGraph, g)
		return err
	})
	return out, err
}

func (q *importedQuantizer) rewriteGraph(graph protoField) (out []byte, err error) {
	err = eachField(graph.bytes, graph.off, func(f protoField) error {
		var replaced []byte
		var err error
		switch f.num {
		case graphNode:
			replaced, err = q.rewriteNode(f)
		case graphInitializer:
			replaced, err = q.rewriteInitializer(f)
		default:
			replaced = f.raw
		}
		out = append(out, replaced...)
		return err
	})
	return out, err
}

// rewriteNode returns the fields that stand for a node: the 8-bit form of a product, else itself.
func (q *importedQuantizer) rewriteNode(f protoField) ([]byte, error) {
	n, err := parseNode(f)
	if err != nil || !q.isProduct(n) {
		return f.raw, err
	}
	w := q.graph.tensors[n.in[1]]
	if w.external {
		if w.raw, err = q.rawWeight(w); err != nil {
			return nil, err
		}
		w.external = false
	}
	v, err := w.toFloat32s()
	if err != nil {
		return nil, err
	}
	var bias []float32
	if len(n.in) > 2 {
		if bias, err = q.graph.tensors[n.in[2]].toFloat32s(); err != nil {
			return nil, err
		}
	}
	scale, err := n.floatAttribute("alpha")
	if err != nil {
		return nil, err
	}
	e := &q.emitter
	e.fields = nil
	y := e.emitAffine(q.weights.putAffine(v, bias, w.dims[0], w.dims[1], true), n.in[0], scale)
	e.emitNode("Identity", []string{y}, n.out)
	q.data.dropPages()
	return e.fields, nil
}

// rewriteInitializer moves a weight to the new file, and leaves out those that rewriteNode replaces.
func (q *importedQuantizer) rewriteInitializer(f protoField) ([]byte, error) {
	t, err := parseTensor(f)
	if err != nil || q.dropped[t.name] {
		return nil, err
	}
	if !t.external {
		return f.raw, nil
	}
	raw, err := q.rawWeight(t)
	if err != nil {
		return nil, err
	}
	moved, p := q.weights.putTensor(t.typ, raw, t.dims...), tensorHeader(t.name, int64(t.typ), t.dims...)
	if moved.raw == nil {
		p = appendPlace(p, q.emitter.file, moved.at, len(raw))
	} else {
		p = appendMessage(p, tensorRaw, moved.raw)
	}
	return appendMessage(nil, graphInitializer, p), nil
}

// rawWeight returns the bytes of external data.
func (q *importedQuantizer) rawWeight(t graphTensor) ([]byte, error) {
	size, count := elementBytes[t.typ], t.elementCount()
	end := int64(t.at) + size*count
	if size == 0 || count < 0 || t.at < 0 || end > int64(len(q.data.bytes)) {
		return nil, fmt.Errorf("weight %q lies outside of its file, or has an unexpected type", t.name)
	}
	return q.data.bytes[t.at:end], nil
}

// floatAttribute returns a node's attribute of type FLOAT; 1, ONNX's default for alpha and beta, if it is not set.
func (n *operatorNode) floatAttribute(name string) (float32, error) {
	value := float32(1)
	for _, attribute := range n.marshalAttributes() {
		found, err := stringField(attribute, attrName)
		if err != nil {
			return 0, err
		}
		if found != name {
			continue
		}
		err = eachField(attribute, 0, func(f protoField) error {
			if f.num == attrFloat {
				value = math.Float32frombits(f.fixed32)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return value, nil
}

// hasOperator reports whether a node of the graph has that type.
func (g *onnxGraph) hasOperator(op string) bool {
	for _, n := range g.nodes {
		if n.op == op {
			return true
		}
	}
	return false
}
