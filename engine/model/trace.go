package model

import (
	"errors"
	"fmt"
	"strings"
)

// linear is y = x·w + b as traced from a graph: w is [in, out] row-major, b is [out].
type linear struct {
	w       []float32
	b       []float32
	in, out int
	x       string // the value it multiplies
}

// tracer walks a graph against the flow of data.
type tracer struct {
	*graph
	producer map[string]*node
}

func newTracer(g *graph) *tracer {
	g.constants()
	t := &tracer{graph: g, producer: make(map[string]*node, len(g.nodes))}
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

// source follows name back over operators that only move data and returns the node that computes it, nil at an input.
func (t *tracer) source(name string) (*node, string) {
	for range len(t.nodes) + 1 {
		n := t.producer[name]
		if n == nil || !passThrough[n.op] || len(n.in) == 0 {
			return n, name
		}
		name = n.in[0]
	}
	return nil, name
}

// linear finds the affine map that makes the value name, in fp32 (MatMul or Gemm, Add) or dynamically quantised form
// (DynamicQuantizeLinear, MatMulInteger, Cast, Mul, Add).
func (t *tracer) linear(name string) (linear, error) {
	n, _ := t.source(name)
	if n == nil {
		return linear{}, fmt.Errorf("no linear layer makes %q", name)
	}
	if n.op == "Gemm" && len(n.in) == 3 {
		return t.gemm(n)
	}
	if n.op != "Add" {
		return linear{}, fmt.Errorf("expected a linear layer's Add at %q, found %s", name, n.op)
	}
	for i, operand := range n.in {
		if bias, ok := t.tensors[operand]; ok && len(n.in) == 2 {
			return t.product(n.in[1-i], bias)
		}
	}
	return linear{}, fmt.Errorf("the Add at %q has no bias", name)
}

func (t *tracer) gemm(n *node) (linear, error) {
	l, err := t.weights(n.in[1], n.in[2], n.in[0])
	if err == nil && n.ints["transB"] == 1 {
		l.w, l.in, l.out = transpose(l.w, l.in, l.out), l.out, l.in
	}
	return l, err
}

// product reads the multiplication under a bias.
func (t *tracer) product(name string, bias tensor) (linear, error) {
	n, _ := t.source(name)
	if n != nil && n.op == "Mul" { // quantised: rescaled integer product
		n, _ = t.source(n.in[0])
	}
	if n == nil || (n.op != "MatMul" && n.op != "MatMulInteger") {
		return linear{}, fmt.Errorf("expected a matrix product at %q", name)
	}
	x := n.in[0]
	if n.op == "MatMulInteger" {
		if q := t.producer[x]; q != nil && q.op == "DynamicQuantizeLinear" {
			x = q.in[0]
		}
	}
	return t.weights(n.in[1], bias.name, x)
}

func (t *tracer) weights(w, b, x string) (linear, error) {
	wt, err := t.tensor(w)
	if err != nil {
		return linear{}, err
	}
	bt, err := t.tensor(b)
	if err != nil {
		return linear{}, err
	}
	if len(wt.dims) != 2 {
		return linear{}, fmt.Errorf("weight %q has %d dimensions, want 2", w, len(wt.dims))
	}
	l := linear{in: int(wt.dims[0]), out: int(wt.dims[1]), x: x}
	if l.w, err = t.dequantised(wt); err != nil {
		return linear{}, err
	}
	if l.b, err = bt.float32s(); err != nil {
		return linear{}, err
	}
	return l, nil
}

// dequantised is the tensor's data in float32. ONNX Runtime's quantiser names a weight's parts NAME_quantized,
// NAME_scale and NAME_zero_point; scale and zero point hold one number, or one for each column.
func (t *tracer) dequantised(w tensor) ([]float32, error) {
	data, err := w.float32s()
	base, quantised := strings.CutSuffix(w.name, "_quantized")
	if err != nil || !quantised {
		return data, err
	}
	scale, err := t.numbers(base + "_scale")
	if err != nil {
		return nil, err
	}
	zero, err := t.numbers(base + "_zero_point")
	if err != nil {
		return nil, err
	}
	cols := int(w.dims[len(w.dims)-1])
	for i, v := range data {
		data[i] = (v - at(zero, i%cols)) * at(scale, i%cols)
	}
	return data, nil
}

func (t *tracer) numbers(name string) ([]float32, error) {
	w, err := t.tensor(name)
	if err != nil {
		return nil, err
	}
	v, err := w.float32s()
	if err == nil && len(v) == 0 {
		err = fmt.Errorf("weight %q is empty", name)
	}
	return v, err
}

func at(v []float32, i int) float32 {
	if i < len(v) {
		return v[i]
	}
	return v[0]
}

// find returns the nodes of the given operators, in the graph's order (ONNX graphs are topologically sorted).
func (t *tracer) find(ops ...string) []*node {
	var found []*node
	for i := range t.nodes {
		for _, op := range ops {
			if t.nodes[i].op == op {
				found = append(found, &t.nodes[i])
			}
		}
	}
	return found
}

// ctcHead finds the convolution of width 1 (or linear layer) that makes a CTC graph's log-probabilities.
func (t *tracer) ctcHead() (linear, error) {
	if len(t.outputs) == 0 {
		return linear{}, errors.New("the CTC graph has no output")
	}
	n, name := t.source(t.outputs[0])
	if n != nil && n.op == "LogSoftmax" {
		n, name = t.source(n.in[0])
	}
	if n == nil {
		return linear{}, errors.New("the CTC graph's output is computed by nothing")
	}
	if n.op != "Conv" || len(n.in) < 3 {
		return t.linear(name)
	}
	w, err := t.tensor(n.in[1])
	if err != nil {
		return linear{}, err
	}
	if len(w.dims) != 3 || w.dims[2] != 1 {
		return linear{}, fmt.Errorf("the CTC head %q has shape %v, want [V+1, D, 1]", w.name, w.dims)
	}
	return t.convolution(n, w)
}

func (t *tracer) convolution(n *node, w tensor) (linear, error) {
	l := linear{in: int(w.dims[1]), out: int(w.dims[0]), x: n.in[0]}
	data, err := t.dequantised(w)
	if err != nil {
		return linear{}, err
	}
	l.w = transpose(data, l.out, l.in)
	l.b, err = t.numbers(n.in[2])
	return l, err
}
