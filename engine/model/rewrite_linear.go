package model

import "slices"

// affineMap is y = x·w + b; w is [in, out], b is empty without a bias. Quantized weights have scales and zero points,
// one for all columns or one per column; scale is empty if w is not quantized.
type affineMap struct {
	w     graphTensor
	b     []float32
	scale []float32
	zero  []byte
}

// readAffine reads a product with a weight, and the Add of its bias if there is one.
func (r *graphReader) readAffine(name string) (affineMap, string) {
	a := affineMap{}
	if r.isOp(name, "Add") {
		bias, product := r.readSum(name)
		if _, constant := r.tensors[bias]; !constant {
			bias, product = product, bias
		}
		a.b, name = r.readVector(bias), product
	}
	if r.isOp(name, "Mul") {
		name = r.readQuantized(&a, name)
	} else {
		n := r.findOperator(name, "MatMul", 2)
		a.w, name = r.readWeight(n.in[1], 2), n.in[0]
		r.expectTrue(a.w.typ == typeFloat)
	}
	r.expectTrue(len(a.b) == 0 || len(a.b) == int(a.w.dims[1]))
	return a, name
}

// readQuantized reads a product as ONNX Runtime's dynamic quantization writes it: the input and the weight as bytes,
// their product as int32, rescaled.
func (r *graphReader) readQuantized(a *affineMap, name string) string {
	rescaled := r.findOperator(name, "Mul", 2)
	scales := r.findOperator(rescaled.in[1], "Mul", 2)
	product := r.findOperator(r.inputOf(rescaled.in[0], "Cast"), "MatMulInteger", 4)
	x := r.findOperator(product.in[0], "DynamicQuantizeLinear", 1)
	r.expectTrue(slices.Equal(x.out, []string{product.in[0], scales.in[0], product.in[2]}))
	a.w, a.scale, a.zero = r.readWeight(product.in[1], 2), r.readVector(scales.in[1]), r.readZeroPoint(product.in[3])
	r.expectTrue(len(a.scale) > 0 && len(a.scale) == len(a.zero) && r.tensors[product.in[3]].typ == a.w.typ)
	return x.in[0]
}

// readZeroPoint returns a quantized weight's zero points.
func (r *graphReader) readZeroPoint(name string) []byte {
	v, err := r.tensors[name].toFloat32s()
	r.expectTrue(err == nil)
	out := make([]byte, len(v))
	for i := range v {
		out[i] = byte(int(v[i]))
	}
	return out
}

// emitAffine computes scale·(x·w + b).
func (e *graphEmitter) emitAffine(a affineMap, x string, scale float32) string {
	return e.emitProduct(a, e.emitWeight(a.w), x, scale)
}

// emitProduct computes the same with w given by name: a's weight or a part of it.
func (e *graphEmitter) emitProduct(a affineMap, w, x string, scale float32) string {
	if len(a.scale) == 0 {
		return e.emitGemm(x, w, a.b, scale, 0)
	}
	q := e.emitQuantized(x)
	zero := graphTensor{raw: a.zero, typ: a.w.typ, dims: []int64{int64(len(a.zero))}}
	y := e.emitOp("MatMulInteger", []string{q[0], w, q[2], e.emitSmallTensor(zero)})
	factor := e.emitOp("Mul", []string{q[1], e.emitFloats(scaleVector(a.scale, scale))})
	y = e.emitOp("Mul", []string{e.emitOp("Cast", []string{y}, intAttribute("to", typeFloat)), factor})
	if len(a.b) == 0 {
		return y
	}
	return e.emitOp("Add", []string{y, e.emitFloats(scaleVector(a.b, scale))})
}

// emitQuantized quantizes x to bytes, once per value; it returns them, their scale and their zero point.
func (e *graphEmitter) emitQuantized(x string) []string {
	if e.bytes[x] == nil {
		e.bytes[x] = []string{e.newName(), e.newName(), e.newName()}
		e.fields = appendMessage(e.fields, graphNode, marshalNode("DynamicQuantizeLinear", []string{x}, e.bytes[x]))
	}
	return e.bytes[x]
}

func scaleVector(v []float32, by float32) []float32 {
	out := make([]float32, len(v))
	for i := range v {
		out[i] = v[i] * by
	}
	return out
}

// emitGemm computes scale·(x·w + b), with w as [out, in] when turned is 1.
func (e *graphEmitter) emitGemm(x, w string, b []float32, scale float32, turned int64) string {
	in := []string{x, w}
	if len(b) > 0 {
		in = append(in, e.emitFloats(b))
	}
	return e.emitOp(
		"Gemm", in, floatAttribute("alpha", scale), floatAttribute("beta", scale), intAttribute("transB", turned),
	)
}

// layerNorm is a layer normalization; node holds its attributes.
type layerNorm struct {
	node  *operatorNode
	scale graphTensor
	shift graphTensor
}

func (r *graphReader) readNorm(name string) (layerNorm, string) {
	n := r.findOperator(name, "LayerNormalization", 3)
	r.expectTrue(n.ints["axis"] == -1)
	return layerNorm{node: n, scale: r.readWeight(n.in[1], 1), shift: r.readWeight(n.in[2], 1)}, n.in[0]
}

func (e *graphEmitter) emitNorm(n layerNorm, x string) string {
	return e.emitOp(
		"LayerNormalization",
		[]string{x, e.emitWeight(n.scale), e.emitWeight(n.shift)},
		n.node.marshalAttributes()...)
}

// feedForward is x + scale·(w2·SiLU(w1·norm(x))).
type feedForward struct {
	norm  layerNorm
	in    affineMap
	out   affineMap
	scale float32
}

func (r *graphReader) feedForward(name string) (feedForward, string) {
	f := feedForward{}
	residual, branch := r.readSum(name)
	n := r.findOperator(branch, "Mul", 2)
	f.scale = r.readScalar(n.in[1])
	f.out, name = r.readAffine(n.in[0])
	f.in, name = r.readAffine(r.readSiLU(name))
	f.norm, name = r.readNorm(name)
	r.expectTrue(name == residual)
	return f, name
}

func (e *graphEmitter) feedForward(f feedForward, x string) string {
	y := e.emitAffine(f.in, e.emitNorm(f.norm, x), 1)
	return e.emitOp("Add", []string{x, e.emitAffine(f.out, e.emitSiLU(y), f.scale)})
}

// readSiLU returns the input of x·sigmoid(x).
func (r *graphReader) readSiLU(name string) string {
	n := r.findOperator(name, "Mul", 2)
	r.expectTrue(r.inputOf(n.in[1], "Sigmoid") == n.in[0])
	return n.in[0]
}

func (e *graphEmitter) emitSiLU(x string) string {
	return e.emitOp("Mul", []string{x, e.emitOp("Sigmoid", []string{x})})
}
