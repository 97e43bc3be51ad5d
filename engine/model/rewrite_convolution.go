package model

import "slices"

// convolution is a layer's convolution module: x + w2·SiLU(depthwise(GLU(w1·norm(x)))).
type convolution struct {
	norm        norm
	in, out     pointwise
	kernel      tensor // [D, 1, K]; batch normalisation folded in by the exporter
	bias        []float32
	inner       *norm       // a layer normalisation behind the depthwise convolution; nil: none
	products    *pointwise3 // in place of in and out; nil: those
	left, right int64       // padding
}

// pointwise is a convolution of width 1: w is [out, in, 1].
type pointwise struct {
	w tensor
	b []float32
}

// pointwise3 is the convolutions of width 1 as matrix products, which can be quantised: the gated unit's two halves and
// the last one.
type pointwise3 struct{ value, gate, out affine }

func (r *reader) convolution(name string) (convolution, string) {
	c := convolution{}
	residual, branch := r.sum(name)
	c.out, name = r.pointwise(r.transposed(branch, 0, 2, 1))
	name = r.depthwise(&c, r.silu(name))
	c.in, name = r.pointwise(r.gated(r.unfilled(name)))
	c.norm, name = r.norm(r.transposed(name, 0, 2, 1))
	width := c.norm.scale.dims[0]
	r.expect(name == residual && c.in.w.dims[0] == 2*width && c.kernel.dims[0] == width)
	return c, name
}

func (r *reader) pointwise(name string) (pointwise, string) {
	n, w := r.kernel(name, 3)
	b := r.bias(n)
	r.expect(w.dims[2] == 1 && n.ints["group"] <= 1 && (len(b) == 0 || int64(len(b)) == w.dims[0]))
	return pointwise{w: w, b: b}, n.in[0]
}

// depthwise reads a convolution of each channel for itself, and the Pad in front of it.
func (r *reader) depthwise(c *convolution, name string) string {
	n, w := r.kernel(name, 3)
	r.expect(w.dims[1] == 1 && n.ints["group"] == w.dims[0])
	c.kernel, c.bias = w, r.bias(n)
	pad := r.operator(n.in[0], "Pad", 2)
	c.left, c.right = r.padding(pad.in[1])
	return pad.in[0]
}

// kernel is a Conv's weight. Its stride and dilation must be 1, its padding none.
func (r *reader) kernel(name string, dims int) (*node, tensor) {
	n := r.operator(name, "Conv", 2)
	for list, want := range map[string]int64{"strides": 1, "dilations": 1, "pads": 0} {
		for _, got := range n.lists[list] {
			r.expect(got == want)
		}
	}
	return n, r.weight(n.in[1], dims)
}

func (r *reader) bias(n *node) []float32 {
	if len(n.in) < 3 {
		return nil
	}
	return r.vector(n.in[2])
}

// padding reads PyTorch's pair (left, right) where the exporter begins to turn it into ONNX's order.
func (r *reader) padding(name string) (left, right int64) {
	for range 6 {
		n := r.producer[name]
		if n == nil || len(n.in) == 0 {
			break
		}
		name = n.in[0]
		if pair := r.integers(name); n.op == "Concat" && len(pair) == 2 {
			return pair[0], pair[1]
		}
	}
	r.failed = true
	return 0, 0
}

// gated is the input of a gated linear unit: its first half times the sigmoid of its second.
func (r *reader) gated(name string) string {
	n := r.operator(name, "Mul", 2)
	halves := r.operator(n.in[0], "Split", 1)
	gate := r.input(n.in[1], "Sigmoid")
	r.expect(halves.ints["axis"] == 1 && slices.Equal(halves.out, []string{n.in[0], gate}))
	return halves.in[0]
}

// convolution keeps activations as [T, D]: products of width 1 are matrix products on weights that ONNX Runtime packs
// once, and each half of the gated unit is its own product, so that nothing needs to be split.
func (e *emitter) convolution(c convolution, x string) string {
	y := e.norm(c.norm, x)
	value, gate := e.gates(c, y)
	y = e.op("Mul", []string{value, e.op("Sigmoid", []string{gate})})
	y = e.op("Unsqueeze", []string{e.op("Transpose", []string{y}, ints("perm", 1, 0)), e.integers(0)})
	in := []string{y, e.whole(c.kernel)}
	if len(c.bias) > 0 {
		in = append(in, e.floats(c.bias))
	}
	y = e.op("Conv", in, integer("group", c.kernel.dims[0]), ints("kernel_shape", c.kernel.dims[2]),
		ints("pads", c.left, c.right))
	y = e.op("Transpose", []string{e.op("Squeeze", []string{y, e.integers(0)})}, ints("perm", 1, 0))
	if c.inner != nil {
		y = e.norm(*c.inner, y)
	}
	y = e.silu(y)
	if c.products != nil {
		return e.op("Add", []string{x, e.affine(c.products.out, y, 1)})
	}
	y = e.gemm(y, e.part(c.out.w, 0, c.out.w.dims[:2]...), c.out.b, 1, 1)
	return e.op("Add", []string{x, y})
}

// gates is both halves of the gated unit for [T, D].
func (e *emitter) gates(c convolution, x string) (value, gate string) {
	if c.products != nil {
		return e.affine(c.products.value, x, 1), e.affine(c.products.gate, x, 1)
	}
	return e.half(c.in, x, 0), e.half(c.in, x, 1)
}

// half is one half of a pointwise convolution's outputs for [T, D].
func (e *emitter) half(p pointwise, x string, second int64) string {
	out, in := p.w.dims[0]/2, p.w.dims[1]
	b := p.b
	if len(b) > 0 {
		b = b[second*out : (second+1)*out]
	}
	return e.gemm(x, e.part(p.w, second*out*in, out, in), b, 1, 1)
}
