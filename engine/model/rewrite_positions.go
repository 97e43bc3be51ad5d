package model

import (
	"math"
	"slices"
)

// defaultTables is the size limit of the projected distances of all layers, in bytes. They are projected once, when the
// model is loaded, only if they are small: 9 MB in the default model, 70 MB in 17 layers of width 512.
const defaultTables = 16 << 20

// positionTable is the table of encoded distances [1, 2M−1, D], from M−1 frames down to −(M−1).
type positionTable struct {
	table graphTensor
	slice string // value with the rows that T frames need
}

// isMirrored reports whether the table alternates sines and cosines, as in NeMo: odd and even functions of the
// distance, so that one half determines the other.
func (p positionTable) isMirrored() bool {
	v, err := p.table.toFloat32s()
	width := int(p.table.dims[2])
	for i, j := 0, len(v)-width; err == nil && i <= j; i, j = i+width, j-width {
		for c := 0; c+1 < width; c += 2 {
			if math.Abs(float64(v[i+c]+v[j+c])) > 1e-6 || math.Abs(float64(v[i+c+1]-v[j+c+1])) > 1e-6 {
				return false
			}
		}
	}
	return err == nil && width%2 == 0
}

// placedTable is the table in the new graph.
type placedTable struct {
	table      string    // [2M, D], with a row before the first
	waves      [2]string // sines and cosines of T..0 frames, each [T+1, D/2]; empty if each layer projects the table once
	frames     string    // [T]
	total      string    // [T] and the cached frames before them
	nearest    string    // the table's rows that are needed, see emitNearby; empty: from start to end
	past       *placedCaches
	start, end string // of the rows that T frames need
	penalty    string // [T, T], added to the scores; empty: none
}

// totalDim returns the name of the number of frames that a frame attends to.
func (p placedTable) totalDim() string {
	if p.past != nil {
		return dimTotal
	}
	return dimFrames
}

// readPositions reads the slice from M−T to M+T−1 of a constant table.
func (r *graphReader) readPositions(name string, p *positionTable) {
	if p.slice == name {
		return
	}
	r.expectTrue(p.slice == "")
	n := r.findOperator(name, "Slice", 5)
	t := r.readWeight(n.in[0], 3)
	r.expectTrue(t.dims[0] == 1 && t.typ == typeFloat)
	r.expectTrue(slices.Equal(r.readIntegers(n.in[3]), []int64{1}) && slices.Equal(r.readIntegers(n.in[4]), []int64{1}))
	first := r.findOperator(r.inputOf(n.in[1], "Unsqueeze"), "Sub", 2)
	last := r.findOperator(r.inputOf(n.in[2], "Unsqueeze"), "Sub", 2)
	sum, frames := r.readSum(last.in[0])
	most := []int64{t.dims[1]/2 + 1}
	r.expectTrue(
		slices.Equal(r.readIntegers(first.in[0]), most) && slices.Equal(r.readIntegers(sum), most) && first.in[1] == frames,
	)
	r.expectTrue(slices.Equal(r.readIntegers(last.in[1]), []int64{1}) && r.isOp(frames, "Gather"))
	p.table, p.slice = t, name
	r.expectTrue(t.dims[1]%2 == 1 && p.isMirrored())
}

// emitPositions prepends a row to the table, so that T frames use 2T rows and the relative shift needs no padding.
func (e *graphEmitter) emitPositions(p positionTable, layers int, frames string) placedTable {
	rows, width := p.table.dims[1], p.table.dims[2]
	table := e.emitOp(
		"Concat",
		[]string{e.emitMatrix(make([]float32, width), 1, width), e.emitWeightPart(p.table, 0, rows, width)},
		intAttribute("axis", 0),
	)
	most := e.emitIntegers(rows/2 + 1)
	at := placedTable{
		table: table, frames: frames, total: frames,
		start: e.emitOp("Sub", []string{most, frames}), end: e.emitOp("Add", []string{most, frames}),
	}
	if int64(layers)*(rows+1)*width*4 <= e.tables {
		return at
	}
	for i := range at.waves {
		wave := e.emitSlice(table, e.emitIntegers(int64(i)), e.emitIntegers(math.MaxInt64), 1, 2)
		at.waves[i] = e.nameShape(e.emitSlice(wave, at.start, e.emitIntegers(rows/2+2), 0, 1), dimHalf, width/2)
	}
	return at
}

// emitDistances returns a layer's projected distances [heads, width, 2T]. The projection of the whole table is
// constant: ONNX Runtime computes it when it loads the graph.
func (e *graphEmitter) emitDistances(a relativeAttention, p placedTable) string {
	if p.waves[0] != "" {
		return e.emitHeads(a, e.emitMirrored(a, p), 1, 2, 0)
	}
	all := e.emitHeads(a, e.emitAffine(a.distance, p.table, 1), 1, 2, 0)
	near := ""
	if p.nearest != "" {
		near = e.emitOp("Gather", []string{all, p.nearest}, intAttribute("axis", 2))
	} else {
		near = e.emitSlice(all, p.start, p.end, 2, 1)
	}
	return e.nameShape(near, a.heads, a.width, dimSpan)
}

// emitMirrored projects the sines and cosines of distances T..0 separately. Their sum is the projection of these
// distances, their difference that of the negated ones, with half the multiplications.
func (e *graphEmitter) emitMirrored(a relativeAttention, p placedTable) string {
	w := e.emitWeight(a.distance.w)
	var waves [2]string
	for i := range waves {
		rows := e.emitSlice(w, e.emitIntegers(int64(i)), e.emitIntegers(math.MaxInt64), 0, 2)
		waves[i] = e.emitProduct(a.distance, rows, p.waves[i], 1)
	}
	ahead := e.emitOp("Add", []string{waves[1], waves[0]})
	behind := e.emitOp("Sub", []string{waves[1], waves[0]})
	behind = e.emitSlice(behind, e.emitIntegers(-2), e.emitIntegers(0), 0, -1) // from 1 frame to T−1
	both := e.emitOp("Concat", []string{ahead, behind}, intAttribute("axis", 0))
	return e.nameShape(both, dimSpan, a.heads*a.width)
}

// emitSlice returns x from start to end (exclusive) along one axis.
func (e *graphEmitter) emitSlice(x, start, end string, axis, step int64) string {
	return e.emitOp("Slice", []string{x, start, end, e.emitIntegers(axis), e.emitIntegers(step)})
}
