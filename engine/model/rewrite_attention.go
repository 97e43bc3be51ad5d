package model

import "math"

// relativeAttention is multi-head self-attention with relative positions (Dai et al. 2019, arXiv:1901.02860):
// softmax(((q+u)·k + (q+v)·p) · scale) · values, with p the encoded distance of the two frames, projected.
type relativeAttention struct {
	norm                        layerNorm
	query, key, value, distance affineMap
	out                         affineMap
	u, v                        []float32 // [heads·width]
	heads, width                int64
	scale                       float32
}

func (r *graphReader) readAttention(name string, p *positionTable) (relativeAttention, string) {
	a := relativeAttention{}
	residual, branch := r.readSum(name)
	a.out, name = r.readAffine(branch)
	mixed := r.findOperator(r.readTransposed(r.findOperator(name, "Reshape", 2).in[0], 0, 2, 1, 3), "MatMul", 2)
	softmax := r.findOperator(r.readUnfilled(mixed.in[0]), "Softmax", 1)
	r.expectTrue(softmax.ints["axis"] == -1)
	scaled := r.findOperator(r.readUnfilled(softmax.in[0]), "Div", 2)
	a.scale = 1 / r.readScalar(scaled.in[1])
	content, position := r.readSum(scaled.in[0])
	x := r.readScores(&a, r.findOperator(content, "MatMul", 2), r.findOperator(r.readUnshifted(position), "MatMul", 2), p)
	var values string
	a.value, values = r.readAffine(r.readHeadSplit(a, mixed.in[1], 0, 2, 1, 3))
	a.norm, name = r.readNorm(x)
	r.expectTrue(values == x && name == residual)
	return a, name
}

// readScores reads (q+u)·k and (q+v)·p and returns the common input of the query and key projections.
func (r *graphReader) readScores(a *relativeAttention, content, position *operatorNode, p *positionTable) (x string) {
	query, u := r.readSum(r.readTransposed(content.in[0], 0, 2, 1, 3))
	again, v := r.readSum(r.readTransposed(position.in[0], 0, 2, 1, 3))
	shape := r.readWeight(u, 2).dims
	a.heads, a.width, a.u, a.v = shape[0], shape[1], r.readVector(u), r.readVector(v)
	r.expectTrue(again == query && len(a.v) == len(a.u))
	var keys, distances string
	a.query, x = r.readAffine(r.readReshaped(query, -1, a.heads, a.width))
	a.key, keys = r.readAffine(r.readHeadSplit(*a, content.in[1], 0, 2, 3, 1))
	a.distance, distances = r.readAffine(r.readHeadSplit(*a, position.in[1], 0, 2, 3, 1))
	r.expectTrue(keys == x && len(a.distance.b) == 0 && a.query.w.dims[1] == int64(len(a.u)))
	r.readPositions(distances, p)
	return x
}

// readHeadSplit returns the input of a value that was split into heads and then transposed.
func (r *graphReader) readHeadSplit(a relativeAttention, name string, perm ...int64) string {
	return r.readReshaped(r.readTransposed(name, perm...), -1, a.heads, a.width)
}

// readUnshifted returns the input of the relative shift, which prepends a column, reshapes and drops the first row (Dai
// et al., appendix B).
func (r *graphReader) readUnshifted(name string) string {
	name, _ = r.readSliced(name, 3, 0)
	name, _ = r.readSliced(r.findOperator(name, "Reshape", 2).in[0], 2, 1)
	return r.inputOf(r.findOperator(name, "Reshape", 2).in[0], "Pad")
}

// emitAttention computes x + attention(norm(x)). The scale is folded into the query projection.
func (e *graphEmitter) emitAttention(a relativeAttention, x string, p placedTable) string {
	y := e.emitNorm(a.norm, x)
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
	query := e.emitAffine(byContent, y, a.scale)
	keys, values := e.emitAffine(a.key, y, 1), e.emitAffine(a.value, y, 1)
	if p.past != nil {
		keys, values = e.emitPastValues(p.past, p.frames, keys, values)
		e.nameShape(keys, dimTotal, a.heads*a.width)
		e.nameShape(values, dimTotal, a.heads*a.width)
	}
	key, value := e.emitHeads(a, keys, 1, 2, 0), e.emitHeads(a, values, 1, 0, 2)
	content := e.emitOp("MatMul", []string{e.emitHeads(a, query, 1, 0, 2), key})
	query = e.emitOp("Add", []string{query, e.emitFloats(other)})
	position := e.emitOp("MatMul", []string{e.emitHeads(a, query, 1, 0, 2), e.emitDistances(a, p)})
	scores := e.emitOp("Add", []string{content, e.emitShifted(a, position, p)})
	if p.penalty != "" {
		scores = e.emitOp("Add", []string{scores, p.penalty})
	}
	weights := e.emitOp("Softmax", []string{scores}, intAttribute("axis", -1))
	mixed := e.emitOp("Transpose", []string{e.emitOp("MatMul", []string{weights, value})}, intsAttribute("perm", 1, 0, 2))
	mixed = e.emitOp("Reshape", []string{mixed, e.emitIntegers(0, a.heads*a.width)})
	return e.emitOp("Add", []string{x, e.emitAffine(a.out, mixed, 1)})
}

// emitHeads reshapes [T, D] to [T, heads, width] and transposes it.
func (e *graphEmitter) emitHeads(a relativeAttention, x string, perm ...int64) string {
	split := e.emitOp("Reshape", []string{x, e.emitIntegers(0, a.heads, a.width)})
	return e.emitOp("Transpose", []string{split}, intsAttribute("perm", perm...))
}

// emitShifted converts scores by distance [heads, T, 2T] to scores by frame [heads, T, T] (relative shift): rows of 2T,
// read from element T as rows of 2T−1, each begin one distance later than the one before. With C cached frames the rows
// are C+2T long, of which C+T are kept.
func (e *graphEmitter) emitShifted(a relativeAttention, scores string, p placedTable) string {
	rows := e.emitOp("Concat", []string{e.emitIntegers(a.heads), p.frames, e.emitIntegers(-1)}, intAttribute("axis", 0))
	flat := e.emitOp("Reshape", []string{scores, e.emitIntegers(a.heads, -1)})
	flat = e.emitSlice(flat, p.frames, e.emitIntegers(math.MaxInt64), 1, 1)
	shifted := e.emitSlice(e.emitOp("Reshape", []string{flat, rows}), e.emitIntegers(0), p.total, 2, 1)
	return e.nameShape(shifted, a.heads, dimFrames, p.totalDim())
}
