package model

import "slices"

// affine is y = x·w + b; w is [in, out], b has no number when there is no bias. Quantised weights have a scale and a
// zero point, one for all or one for each column; scale has no number when w is not quantised.
type affine struct {
	w     tensor
	b     []float32
	scale []float32
	zero  []byte
}

// affine reads a product with a weight, and the Add of its bias if there is one.
func (r *reader) affine(name string) (affine, string) {
	a := affine{}
	if r.is(name, "Add") {
		bias, product := r.sum(name)
		if _, constant := r.tensors[bias]; !constant {
			bias, product = product, bias
		}
		a.b, name = r.vector(bias), product
	}
	if r.is(name, "Mul") {
		name = r.quantised(&a, name)
	} else {
		n := r.operator(name, "MatMul", 2)
		a.w, name = r.weight(n.in[1], 2), n.in[0]
		r.expect(a.w.typ == typeFloat)
	}
	r.expect(len(a.b) == 0 || len(a.b) == int(a.w.dims[1]))
	return a, name
}

// quantised reads a product as ONNX Runtime's dynamic quantisation writes it: the input and the weight as bytes, their
// product as int32, rescaled.
func (r *reader) quantised(a *affine, name string) string {
	rescaled := r.operator(name, "Mul", 2)
	scales := r.operator(rescaled.in[1], "Mul", 2)
	product := r.operator(r.input(rescaled.in[0], "Cast"), "MatMulInteger", 4)
	x := r.operator(product.in[0], "DynamicQuantizeLinear", 1)
	r.expect(slices.Equal(x.out, []string{product.in[0], scales.in[0], product.in[2]}))
	a.w, a.scale, a.zero = r.weight(product.in[1], 2), r.vector(scales.in[1]), r.zero(product.in[3])
	r.expect(len(a.scale) > 0 && len(a.scale) == len(a.zero) && r.tensors[product.in[3]].typ == a.w.typ)
	return x.in[0]
}

// zero is a quantised weight's zero points.
func (r *reader) zero(name string) []byte {
	v, err := r.tensors[name].float32s()
	r.expect(err == nil)
	out := make([]byte, len(v))
	for i := range v {
		out[i] = byte(int(v[i]))
	}
	return out
}

// affine computes scale·(x·w + b).
func (e *emitter) affine(a affine, x string, scale float32) string {
	return e.product(a, e.whole(a.w), x, scale)
}

// product is the same with w given by name, a's own or a part of it.
func (e *emitter) product(a affine, w, x string, scale float32) string {
	if len(a.scale) == 0 {
		return e.gemm(x, w, a.b, scale, 0)
	}
	q := e.quantised(x)
	zero := tensor{raw: a.zero, typ: a.w.typ, dims: []int64{int64(len(a.zero))}}
	y := e.op("MatMulInteger", []string{q[0], w, q[2], e.carried(zero)})
	factor := e.op("Mul", []string{q[1], e.floats(scaled(a.scale, scale))})
	y = e.op("Mul", []string{e.op("Cast", []string{y}, integer("to", typeFloat)), factor})
	if len(a.b) == 0 {
		return y
	}
	return e.op("Add", []string{y, e.floats(scaled(a.b, scale))})
}

// quantised turns x into bytes, once: they, their scale and their zero point.
func (e *emitter) quantised(x string) []string {
	if e.bytes[x] == nil {
		e.bytes[x] = []string{e.name(), e.name(), e.name()}
		e.fields = appendMessage(e.fields, graphNode, serialised("DynamicQuantizeLinear", []string{x}, e.bytes[x]))
	}
	return e.bytes[x]
}

func scaled(v []float32, by float32) []float32 {
	out := make([]float32, len(v))
	for i := range v {
		out[i] = v[i] * by
	}
	return out
}

// gemm computes scale·(x·w + b), with w as [out, in] when turned is 1.
func (e *emitter) gemm(x, w string, b []float32, scale float32, turned int64) string {
	in := []string{x, w}
	if len(b) > 0 {
		in = append(in, e.floats(b))
	}
	return e.op("Gemm", in, float("alpha", scale), float("beta", scale), integer("transB", turned))
}

// norm is a layer normalisation; node holds its attributes.
type norm struct {
	node  *node
	scale tensor
	shift tensor
}

func (r *reader) norm(name string) (norm, string) {
	n := r.operator(name, "LayerNormalization", 3)
	r.expect(n.ints["axis"] == -1)
	return norm{node: n, scale: r.weight(n.in[1], 1), shift: r.weight(n.in[2], 1)}, n.in[0]
}

func (e *emitter) norm(n norm, x string) string {
	return e.op("LayerNormalization", []string{x, e.whole(n.scale), e.whole(n.shift)}, n.node.attributes()...)
}

// feedForward is x + scale·(w2·SiLU(w1·norm(x))).
type feedForward struct {
	norm  norm
	in    affine
	out   affine
	scale float32
}

func (r *reader) feedForward(name string) (feedForward, string) {
	f := feedForward{}
	residual, branch := r.sum(name)
	n := r.operator(branch, "Mul", 2)
	f.scale = r.scalar(n.in[1])
	f.out, name = r.affine(n.in[0])
	f.in, name = r.affine(r.silu(name))
	f.norm, name = r.norm(name)
	r.expect(name == residual)
	return f, name
}

func (e *emitter) feedForward(f feedForward, x string) string {
	y := e.affine(f.in, e.norm(f.norm, x), 1)
	return e.op("Add", []string{x, e.affine(f.out, e.silu(y), f.scale)})
}

// silu is the input of x·sigmoid(x).
func (r *reader) silu(name string) string {
	n := r.operator(name, "Mul", 2)
	r.expect(r.input(n.in[1], "Sigmoid") == n.in[0])
	return n.in[0]
}

func (e *emitter) silu(x string) string {
	return e.op("Mul", []string{x, e.op("Sigmoid", []string{x})})
}
