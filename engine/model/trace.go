package model

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// linearLayer is y = x·w + b as traced from a graph: w is [in, out] row-major, b is [out].
type linearLayer struct {
	w       []float32
	b       []float32
	in, out int
	x       string // input value
}

// graphTracer walks a graph backwards, from outputs to inputs.
type graphTracer struct {
	*onnxGraph
	producer map[string]*operatorNode
}

func newTracer(g *onnxGraph) *graphTracer {
	g.collectConstants()
	t := &graphTracer{onnxGraph: g, producer: make(map[string]*operatorNode, len(g.nodes))}
	for i := range g.nodes {
		for _, out := range g.nodes[i].out {
			t.producer[out] = &g.nodes[i]
		}
	}
	return t
}

// passThrough are operators that move or rename a value without changing its numbers.
var passThrough = map[string]bool{
	"Transpose": true, "Unsqueeze": true, "Squeeze": true, "Identity": true, "Cast": true, "Reshape": true, "Log": false,
}

// traceSource follows name back over operators that only move data; it returns the node that computes it, nil for an
// input of the graph, and the value's name there.
func (t *graphTracer) traceSource(name string) (*operatorNode, string) {
	for range len(t.nodes) + 1 {
		n := t.producer[name]
		if n == nil || !passThrough[n.op] || len(n.in) == 0 {
			return n, name
		}
		name = n.in[0]
	}
	return nil, name
}

// traceLinear finds the affine map that computes the value name, in fp32 (MatMul or Gemm, Add) or dynamically quantized
// form (DynamicQuantizeLinear, MatMulInteger, Cast, Mul, Add).
func (t *graphTracer) traceLinear(name string) (linearLayer, error) {
	n, _ := t.traceSource(name)
	if n == nil {
		return linearLayer{}, fmt.Errorf("no linear layer computes %q", name)
	}
	if n.op == "Gemm" && len(n.in) == 3 {
		return t.traceGemm(n)
	}
	if n.op != "Add" {
		return linearLayer{}, fmt.Errorf("expected a linear layer's Add at %q, found %s", name, n.op)
	}
	for i, operand := range n.in {
		if bias, ok := t.tensors[operand]; ok && len(n.in) == 2 {
			return t.traceProduct(n.in[1-i], bias)
		}
	}
	return linearLayer{}, fmt.Errorf("the Add at %q has no bias", name)
}

func (t *graphTracer) traceGemm(n *operatorNode) (linearLayer, error) {
	l, err := t.traceWeights(n.in[1], n.in[2], n.in[0])
	if err == nil && n.ints["transB"] == 1 {
		l.w, l.in, l.out = transposeMatrix(l.w, l.in, l.out), l.out, l.in
	}
	return l, err
}

// traceProduct reads the matrix product to which a bias is added.
func (t *graphTracer) traceProduct(name string, bias graphTensor) (linearLayer, error) {
	n, _ := t.traceSource(name)
	if n != nil && n.op == "Mul" { // quantized: rescaled integer product
		n, _ = t.traceSource(n.in[0])
	}
	if n == nil || (n.op != "MatMul" && n.op != "MatMulInteger") {
		return linearLayer{}, fmt.Errorf("expected a matrix product at %q", name)
	}
	x := n.in[0]
	if n.op == "MatMulInteger" {
		if q := t.producer[x]; q != nil && q.op == "DynamicQuantizeLinear" {
			x = q.in[0]
		}
	}
	return t.traceWeights(n.in[1], bias.name, x)
}

func (t *graphTracer) traceWeights(w, b, x string) (linearLayer, error) {
	wt, err := t.findTensor(w)
	if err != nil {
		return linearLayer{}, err
	}
	bt, err := t.findTensor(b)
	if err != nil {
		return linearLayer{}, err
	}
	if len(wt.dims) != 2 {
		return linearLayer{}, fmt.Errorf("weight %q has %d dimensions, want 2", w, len(wt.dims))
	}
	l := linearLayer{in: int(wt.dims[0]), out: int(wt.dims[1]), x: x}
	if l.w, err = t.dequantizeTensor(wt); err != nil {
		return linearLayer{}, err
	}
	if l.b, err = bt.toFloat32s(); err != nil {
		return linearLayer{}, err
	}
	return l, nil
}

// dequantizeTensor returns the tensor's data in float32. ONNX Runtime's quantizer names a weight's parts
// NAME_quantized, NAME_scale and NAME_zero_point; scale and zero point have one number, or one per column.
func (t *graphTracer) dequantizeTensor(w graphTensor) ([]float32, error) {
	data, err := w.toFloat32s()
	base, quantized := strings.CutSuffix(w.name, "_quantized")
	if err != nil || !quantized {
		return data, err
	}
	scale, err := t.traceNumbers(base + "_scale")
	if err != nil {
		return nil, err
	}
	zero, err := t.traceNumbers(base + "_zero_point")
	if err != nil {
		return nil, err
	}
	cols := int(w.dims[len(w.dims)-1])
	for i, v := range data {
		data[i] = (v - valueAt(zero, i%cols)) * valueAt(scale, i%cols)
	}
	return data, nil
}

func (t *graphTracer) traceNumbers(name string) ([]float32, error) {
	w, err := t.findTensor(name)
	if err != nil {
		return nil, err
	}
	v, err := w.toFloat32s()
	if err == nil && len(v) == 0 {
		err = fmt.Errorf("weight %q is empty", name)
	}
	return v, err
}

func valueAt(v []float32, i int) float32 {
	if i < len(v) {
		return v[i]
	}
	return v[0]
}

// findNodes returns the nodes of the given operators, in the graph's order (ONNX graphs are topologically sorted).
func (t *graphTracer) findNodes(ops ...string) []*operatorNode {
	var found []*operatorNode
	for i := range t.nodes {
		for _, op := range ops {
			if t.nodes[i].op == op {
				found = append(found, &t.nodes[i])
			}
		}
	}
	return found
}

// ctcHead finds the convolution of width 1 (or linear layer) that computes a CTC graph's log-probabilities.
func (t *graphTracer) ctcHead() (linearLayer, error) {
	if len(t.outputs) == 0 {
		return linearLayer{}, errors.New("the CTC graph has no output")
	}
	n, name := t.traceSource(t.outputs[0])
	if n != nil && n.op == "LogSoftmax" {
		n, name = t.traceSource(n.in[0])
	}
	if n == nil {
		return linearLayer{}, errors.New("no operator computes the CTC graph's output")
	}
	if n.op != "Conv" || len(n.in) < 3 {
		return t.traceLinear(name)
	}
	w, err := t.findTensor(n.in[1])
	if err != nil {
		return linearLayer{}, err
	}
	if len(w.dims) != 3 || w.dims[2] != 1 {
		return linearLayer{}, fmt.Errorf("the CTC head %q has shape %v, want [V+1, D, 1]", w.name, w.dims)
	}
	return t.traceConvolution(n, w)
}

func (t *graphTracer) traceConvolution(n *operatorNode, w graphTensor) (linearLayer, error) {
	l := linearLayer{in: int(w.dims[1]), out: int(w.dims[0]), x: n.in[0]}
	data, err := t.dequantizeTensor(w)
	if err != nil {
		return linearLayer{}, err
	}
	l.w = transposeMatrix(data, l.out, l.in)
	l.b, err = t.traceNumbers(n.in[2])
	return l, err
}

// readCaches determines whether the encoder's graph is cache-aware, and returns the names of its inputs.
func (m *SpeechModel) readCaches(g *onnxGraph) (inputs []string, err error) {
	inputs = []string{tensorAudio, tensorLength}
	own := g.meta[coreMark] != ""
	switch {
	case !g.hasInput(tensorChannelCache):
		m.Streaming = nil
		return inputs, nil
	case own && m.Streaming == nil:
		return nil, errors.New("its graph has caches, but munadi.json has no streaming section")
	case !own:
		if m.Streaming, err = traceStreaming(g); err != nil {
			return nil, err
		}
		m.stepwise = true
		m.Preprocessor = cmp.Or(m.Preprocessor, unnormalizedConfig())
	}
	inputs = append(inputs, tensorChannelCache, tensorTimeCache, tensorCacheLength)
	if own {
		inputs = append(inputs, tensorContext, tensorDropped)
	}
	return inputs, nil
}

// traceStreaming derives the streaming parameters of NeMo's export with cache_support: the caches' shapes, the frames
// that a run returns (end of the result's slice) and those that attention caches (start of the cache's slice).
func traceStreaming(g *onnxGraph) (*StreamingConfig, error) {
	r := newReader(g)
	channel, time := g.shapes[tensorChannelCache], g.shapes[tensorTimeCache]
	if len(channel) != 4 || len(time) != 4 || !g.hasInput(tensorTimeCache) || !g.hasInput(tensorCacheLength) {
		return nil, fmt.Errorf("its caches have shapes %v and %v, want four dimensions each (export with cache_support)",
			channel, time)
	}
	_, end := r.readSliced(g.outputs[0], 2, 0)
	chunk := r.readIntegers(end)
	kept := r.findOperator(r.inputOf(outputChannelCache, "Transpose"), "Slice", 4)
	left := r.readIntegers(kept.in[1])
	if r.failed || len(chunk) != 1 || len(left) != 1 || chunk[0] < 1 || left[0] >= 0 {
		return nil, errors.New("its graph has caches, but does not slice its results as NeMo's export with " +
			"cache_support does: import the .nemo checkpoint instead")
	}
	s := &StreamingConfig{
		Chunked:  true,
		Contexts: []AttentionSpan{{Left: int(-left[0]), Right: int(chunk[0]) - 1}},
		Layers:   int(channel[1]), Width: int(channel[3]), Channels: int(time[2]), Taps: r.depthwiseTaps(),
	}
	if time[3] > 0 && s.Taps != int(time[3]) {
		s.Taps = int(time[3])
	}
	if err := s.checkBounds(); err != nil {
		return nil, fmt.Errorf("its graph's caches: %w", err)
	}
	return s, nil
}

// depthwiseTaps returns the number of earlier frames that the layers' convolutions need; NeMo's export does not state
// it.
func (r *graphReader) depthwiseTaps() int {
	for _, n := range r.findNodes("Conv") {
		if len(n.in) < 2 {
			continue
		}
		if w := r.tensors[n.in[1]]; len(w.dims) == 3 && w.dims[1] == 1 && w.dims[2] > 1 {
			return int(w.dims[2]) - 1
		}
	}
	return 0
}
