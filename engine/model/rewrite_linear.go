package model

// affine is y = x·w + b; w is [in, out], b has no number when there is no bias.
type affine struct {
	w tensor
	b []float32
}

// affine reads a MatMul with a weight, and the Add of its bias if there is one.
func (r *reader) affine(name string) (affine, string) {
	a := affine{}
	if r.is(name, "Add") {
		b, product := r.sum(name)
		if r.is(b, "MatMul") {
			b, product = product, b
		}
		a.b, name = r.vector(b), product
	}
	n := r.operator(name, "MatMul", 2)
	a.w = r.weight(n.in[1], 2)
	r.expect(len(a.b) == 0 || len(a.b) == int(a.w.dims[1]))
	return a, n.in[0]
}

// affine computes scale·(x·w + b).
func (e *emitter) affine(a affine, x string, scale float32) string {
	return e.gemm(x, e.part(a.w, 0, a.w.dims...), a.b, scale, 0)
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
