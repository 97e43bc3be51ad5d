package model

import "math"

// attention is multi-head self-attention with relative positions (Dai et al. 2019, arXiv:1901.02860):
// softmax(((q+u)·k + (q+v)·p) · scale) · values, with p the encoded distance of the two frames, projected.
type attention struct {
	norm                        norm
	query, key, value, distance affine
	out                         affine
	u, v                        []float32 // [heads·width]
	heads, width                int64
	scale                       float32
}

func (r *reader) attention(name string, p *positions) (attention, string) {
	a := attention{}
	residual, branch := r.sum(name)
	a.out, name = r.affine(branch)
	mixed := r.operator(r.transposed(r.operator(name, "Reshape", 2).in[0], 0, 2, 1, 3), "MatMul", 2)
	softmax := r.operator(r.unfilled(mixed.in[0]), "Softmax", 1)
	r.expect(softmax.ints["axis"] == -1)
	scaled := r.operator(r.unfilled(softmax.in[0]), "Div", 2)
	a.scale = 1 / r.scalar(scaled.in[1])
	content, position := r.sum(scaled.in[0])
	x := r.scores(&a, r.operator(content, "MatMul", 2), r.operator(r.unshifted(position), "MatMul", 2), p)
	var values string
	a.value, values = r.affine(r.head(a, mixed.in[1], 0, 2, 1, 3))
	a.norm, name = r.norm(x)
	r.expect(values == x && name == residual)
	return a, name
}

// scores reads (q+u)·k and (q+v)·p and returns what queries and keys are made of.
func (r *reader) scores(a *attention, content, position *node, p *positions) (x string) {
	query, u := r.sum(r.transposed(content.in[0], 0, 2, 1, 3))
	again, v := r.sum(r.transposed(position.in[0], 0, 2, 1, 3))
	shape := r.weight(u, 2).dims
	a.heads, a.width, a.u, a.v = shape[0], shape[1], r.vector(u), r.vector(v)
	r.expect(again == query && len(a.v) == len(a.u))
	var keys, distances string
	a.query, x = r.affine(r.reshaped(query, -1, a.heads, a.width))
	a.key, keys = r.affine(r.head(*a, content.in[1], 0, 2, 3, 1))
	a.distance, distances = r.affine(r.head(*a, position.in[1], 0, 2, 3, 1))
	r.expect(keys == x && len(a.distance.b) == 0 && a.query.w.dims[1] == int64(len(a.u)))
	r.positions(distances, p)
	return x
}

// head is what a value is that was split into heads and then transposed.
func (r *reader) head(a attention, name string, perm ...int64) string {
	return r.reshaped(r.transposed(name, perm...), -1, a.heads, a.width)
}

// unshifted looks through what turns distances into frames: a column in front, the rows read one shorter, the first
// gone (Dai et al., appendix B).
func (r *reader) unshifted(name string) string {
	name, _ = r.sliced(name, 3, 0)
	name, _ = r.sliced(r.operator(name, "Reshape", 2).in[0], 2, 1)
	return r.input(r.operator(name, "Reshape", 2).in[0], "Pad")
}

// attention computes x + the attention over norm(x). The scale goes into the queries, for nothing.
func (e *emitter) attention(a attention, x string, p placed) string {
	y := e.norm(a.norm, x)
	byContent := a.query
	byContent.b = make([]float32, len(a.u))
	other := make([]float32, len(a.u))
	for i, u := range a.u {
		byContent.b[i] = u
		if len(a.query.b) > 0 {
			byContent.b[i] += a.query.b[i]
		}
		other[i] = (a.v[i] - u) * a.scale
	}
	query := e.affine(byContent, y, a.scale)
	key := e.heads(a, e.affine(a.key, y, 1), 1, 2, 0)
	value := e.heads(a, e.affine(a.value, y, 1), 1, 0, 2)
	content := e.op("MatMul", []string{e.heads(a, query, 1, 0, 2), key})
	query = e.op("Add", []string{query, e.floats(other)})
	position := e.op("MatMul", []string{e.heads(a, query, 1, 0, 2), e.distances(a, p)})
	scores := e.op("Add", []string{content, e.shifted(a, position, p)})
	if p.penalty != "" {
		scores = e.op("Add", []string{scores, p.penalty})
	}
	weights := e.op("Softmax", []string{scores}, integer("axis", -1))
	mixed := e.op("Transpose", []string{e.op("MatMul", []string{weights, value})}, ints("perm", 1, 0, 2))
	mixed = e.op("Reshape", []string{mixed, e.integers(-1, a.heads*a.width)})
	return e.op("Add", []string{x, e.affine(a.out, mixed, 1)})
}

// heads views [T, D] as [T, heads, width] and transposes that.
func (e *emitter) heads(a attention, x string, perm ...int64) string {
	split := e.op("Reshape", []string{x, e.integers(-1, a.heads, a.width)})
	return e.op("Transpose", []string{split}, ints("perm", perm...))
}

// shifted turns scores by distance [heads, T, 2T] into scores by frame [heads, T, T]: rows of 2T read from T on as rows
// of 2T−1, so that each begins one distance later than the one before it.
func (e *emitter) shifted(a attention, scores string, p placed) string {
	rows := e.op("Concat", []string{e.integers(a.heads), p.frames, e.integers(-1)}, integer("axis", 0))
	flat := e.op("Reshape", []string{scores, e.integers(a.heads, -1)})
	flat = e.slice(flat, p.frames, e.integers(math.MaxInt64), 1, 1)
	return e.slice(e.op("Reshape", []string{flat, rows}), e.integers(0), p.frames, 2, 1)
}
