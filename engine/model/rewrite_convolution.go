package model

import (
	"slices"
)

// convolutionModule is a layer's convolution module: x + w2·SiLU(depthwise(GLU(w1·norm(x)))).
type convolutionModule struct {
	norm        layerNorm
	in, out     pointwiseConv
	kernel      graphTensor // [D, 1, K]; batch normalization folded in by the exporter
	bias        []float32
	inner       *layerNorm    // layer normalization after the depthwise convolution; nil: none
	products    *pointwiseSet // replaces in and out; nil: in and out are used
	left, right int64         // padding
}

// pointwiseConv is a convolution of width 1: w is [out, in, 1].
type pointwiseConv struct {
	w graphTensor
	b []float32
}

// pointwiseSet holds the convolutions of width 1 as matrix products, which can be quantized: the two halves of the
// gated linear unit and the output.
type pointwiseSet struct{ value, gate, out affineMap }

func (r *graphReader) readConvolution(name string) (convolutionModule, string) {
	c := convolutionModule{}
	residual, branch := r.readSum(name)
	c.out, name = r.readPointwise(r.readTransposed(branch, 0, 2, 1))
	name = r.readDepthwise(&c, r.readSiLU(name))
	c.in, name = r.readPointwise(r.readGLU(r.readUnfilled(name)))
	c.norm, name = r.readNorm(r.readTransposed(name, 0, 2, 1))
	width := c.norm.scale.dims[0]
	r.expectTrue(name == residual && c.in.w.dims[0] == 2*width && c.kernel.dims[0] == width)
	return c, name
}

func (r *graphReader) readPointwise(name string) (pointwiseConv, string) {
	n, w := r.readKernel(name, 3)
	b := r.readBias(n)
	r.expectTrue(w.dims[2] == 1 && n.ints["group"] <= 1 && (len(b) == 0 || int64(len(b)) == w.dims[0]))
	return pointwiseConv{w: w, b: b}, n.in[0]
}

// readDepthwise reads a depthwise convolution, and the Pad before it.
func (r *graphReader) readDepthwise(c *convolutionModule, name string) string {
	n, w := r.readKernel(name, 3)
	r.expectTrue(w.dims[1] == 1 && n.ints["group"] == w.dims[0])
	c.kernel, c.bias = w, r.readBias(n)
	pad := r.findOperator(n.in[0], "Pad", 2)
	c.left, c.right = r.readPadding(pad.in[1])
	return pad.in[0]
}

// readKernel returns a Conv's weight. Its stride and dilation must be 1, its padding none.
func (r *graphReader) readKernel(name string, dims int) (*operatorNode, graphTensor) {
	n := r.findOperator(name, "Conv", 2)
	for list, want := range map[string]int64{"strides": 1, "dilations": 1, "pads": 0} {
		for _, got := range n.lists[list] {
			r.expectTrue(got == want)
		}
	}
	return n, r.readWeight(n.in[1], dims)
}

func (r *graphReader) readBias(n *operatorNode) []float32 {
	if len(n.in) < 3 {
		return nil
	}
	return r.readVector(n.in[2])
}

// readPadding reads PyTorch's pair (left, right), from which the exporter's operators compute ONNX's pads.
func (r *graphReader) readPadding(name string) (left, right int64) {
	for range 6 {
		n := r.producer[name]
		if n == nil || len(n.in) == 0 {
			break
		}
		name = n.in[0]
		if pair := r.readIntegers(name); n.op == "Concat" && len(pair) == 2 {
			return pair[0], pair[1]
		}
	}
	r.failed = true
	return 0, 0
}

// readGLU returns the input of a gated linear unit: its first half times the sigmoid of its second.
func (r *graphReader) readGLU(name string) string {
	n := r.findOperator(name, "Mul", 2)
	halves := r.findOperator(n.in[0], "Split", 1)
	gate := r.inputOf(n.in[1], "Sigmoid")
	r.expectTrue(halves.ints["axis"] == 1 && slices.Equal(halves.out, []string{n.in[0], gate}))
	return halves.in[0]
}

// emitConvolution keeps activations as [T, D]: convolutions of width 1 are matrix products with weights that ONNX
// Runtime packs once, and each half of the gated unit is a separate product, so that no Split is needed.
func (e *graphEmitter) emitConvolution(c convolutionModule, x string, p placedTable) string {
	y := e.emitNorm(c.norm, x)
	value, gate := e.emitGates(c, y)
	y = e.emitOp("Mul", []string{value, e.emitOp("Sigmoid", []string{gate})})
	y = e.emitOp("Unsqueeze", []string{e.emitOp("Transpose", []string{y}, intsAttribute("perm", 1, 0)), e.emitIntegers(0)})
	left := c.left
	if p.past != nil {
		y, left = e.emitPastFrames(p.past, p.frames, y), 0
	}
	in := []string{y, e.emitWeight(c.kernel)}
	if len(c.bias) > 0 {
		in = append(in, e.emitFloats(c.bias))
	}
	y = e.emitOp("Conv", in, intAttribute("group", c.kernel.dims[0]), intsAttribute("kernel_shape", c.kernel.dims[2]),
		intsAttribute("pads", left, c.right))
	e.nameShape(y, 1, c.kernel.dims[0], dimFrames)
	y = e.emitOp("Transpose", []string{e.emitOp("Squeeze", []string{y, e.emitIntegers(0)})}, intsAttribute("perm", 1, 0))
	if c.inner != nil {
		y = e.emitNorm(*c.inner, y)
	}
	y = e.emitSiLU(y)
	if c.products != nil {
		return e.emitOp("Add", []string{x, e.emitAffine(c.products.out, y, 1)})
	}
	y = e.emitGemm(y, e.emitWeightPart(c.out.w, 0, c.out.w.dims[:2]...), c.out.b, 1, 1)
	return e.emitOp("Add", []string{x, y})
}

// emitGates returns both halves of the gated linear unit for [T, D].
func (e *graphEmitter) emitGates(c convolutionModule, x string) (value, gate string) {
	if c.products != nil {
		return e.emitAffine(c.products.value, x, 1), e.emitAffine(c.products.gate, x, 1)
	}
	return e.emitHalf(c.in, x, 0), e.emitHalf(c.in, x, 1)
}

// emitHalf returns one half of a pointwise convolution's outputs for [T, D].
func (e *graphEmitter) emitHalf(p pointwiseConv, x string, second int64) string {
	out, in := p.w.dims[0]/2, p.w.dims[1]
	b := p.b
	if len(b) > 0 {
		b = b[second*out : (second+1)*out]
	}
	return e.emitGemm(x, e.emitWeightPart(p.w, second*out*in, out, in), b, 1, 1)
}

// convSubsampling holds the convolutions before the layers and the projection of their channels and bands.
type convSubsampling struct {
	steps []*operatorNode // Conv and Relu, in order
	w     map[*operatorNode][2]graphTensor
	out   affineMap
	scale float32
}

func (r *graphReader) readSubsampling(name string) convSubsampling {
	s := convSubsampling{scale: 1, w: map[*operatorNode][2]graphTensor{}}
	if r.isOp(name, "Mul") {
		n := r.findOperator(name, "Mul", 2)
		s.scale, name = r.readScalar(n.in[1]), n.in[0]
	}
	s.out, name = r.readAffine(name)
	name, _ = r.readUnmasked(r.readTransposed(r.readReshaped(name, -1), 0, 2, 1, 3))
	for !r.failed && !r.isOp(name, "Unsqueeze") {
		name, _ = r.readUnmasked(r.readStep(&s, name))
		r.expectTrue(len(s.steps) < len(r.nodes))
	}
	n := r.findOperator(name, "Unsqueeze", 2)
	r.expectTrue(slices.Equal(r.readIntegers(n.in[1]), []int64{1}) && r.readTransposed(n.in[0], 0, 2, 1) == tensorAudio)
	return s
}

// readStep reads a Relu or a convolution. The input of a convolution over several frames must be masked after the last
// valid one, which equals an input that ends there.
func (r *graphReader) readStep(s *convSubsampling, name string) string {
	if !r.isOp(name, "Conv") {
		n := r.findOperator(name, "Relu", 1)
		s.steps = append([]*operatorNode{n}, s.steps...)
		return n.in[0]
	}
	n := r.findOperator(name, "Conv", 2)
	w := [2]graphTensor{r.readWeight(n.in[1], 4)}
	if len(n.in) > 2 {
		w[1] = r.readWeight(n.in[2], 1)
	}
	_, masked := r.readUnmasked(n.in[0])
	r.expectTrue(masked || w[0].dims[2] == 1)
	s.steps, s.w[n] = append([]*operatorNode{n}, s.steps...), w
	return n.in[0]
}

// emitSubsampling computes [T', D] of audio_signal [1, F, T].
func (e *graphEmitter) emitSubsampling(s convSubsampling) string {
	x := e.emitOp("Transpose", []string{tensorAudio}, intsAttribute("perm", 0, 2, 1))
	x = e.emitOp("Unsqueeze", []string{x, e.emitIntegers(1)})
	for _, n := range s.steps {
		in := []string{x}
		for _, w := range s.w[n] {
			if len(w.dims) > 0 {
				in = append(in, e.emitWeight(w))
			}
		}
		x = e.emitOp(n.op, in, n.marshalAttributes()...)
	}
	x = e.emitOp("Transpose", []string{x}, intsAttribute("perm", 0, 2, 1, 3))
	x = e.emitOp("Reshape", []string{x, e.emitIntegers(-1, s.out.w.dims[0])})
	return e.emitAffine(s.out, x, s.scale)
}
