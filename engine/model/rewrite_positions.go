package model

import (
	"math"
	"slices"
)

// defaultTables is how many bytes the projected distances of all layers may take. Projecting them once, when the model
// is loaded, is worth it only where they are small: 9 MB in the default model, 70 MB in 17 layers of width 512.
const defaultTables = 16 << 20

// positions is the table of encoded distances [1, 2M−1, D], from M−1 frames down to −(M−1).
type positions struct {
	table tensor
	slice string // the part of it that T frames need
}

// mirrored reports whether the table is sines and cosines by turns, as NeMo makes it: odd and even functions of the
// distance, of which one half tells the other.
func (p positions) mirrored() bool {
	v, err := p.table.float32s()
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

// placed is the table in the new graph.
type placed struct {
	table      string    // [2M, D], a row in front of the first
	waves      [2]string // sines and cosines of T..0 frames, each [T+1, D/2]; empty if each layer projects the table once
	frames     string    // [T]
	start, end string    // of the rows that T frames need
	penalty    string    // [T, T], added to the scores; empty: none
}

// positions reads the slice from M−T to M+T−1 of a constant table.
func (r *reader) positions(name string, p *positions) {
	if p.slice == name {
		return
	}
	r.expect(p.slice == "")
	n := r.operator(name, "Slice", 5)
	t := r.weight(n.in[0], 3)
	r.expect(t.dims[0] == 1 && t.typ == typeFloat)
	r.expect(slices.Equal(r.integers(n.in[3]), []int64{1}) && slices.Equal(r.integers(n.in[4]), []int64{1}))
	first := r.operator(r.input(n.in[1], "Unsqueeze"), "Sub", 2)
	last := r.operator(r.input(n.in[2], "Unsqueeze"), "Sub", 2)
	sum, frames := r.sum(last.in[0])
	most := []int64{t.dims[1]/2 + 1}
	r.expect(slices.Equal(r.integers(first.in[0]), most) && slices.Equal(r.integers(sum), most) && first.in[1] == frames)
	r.expect(slices.Equal(r.integers(last.in[1]), []int64{1}) && r.is(frames, "Gather"))
	p.table, p.slice = t, name
	r.expect(t.dims[1]%2 == 1 && p.mirrored())
}

// positions puts a row in front of the table, so that T frames take 2T rows and shifting needs no padding.
func (e *emitter) positions(p positions, layers int, frames string) placed {
	rows, width := p.table.dims[1], p.table.dims[2]
	table := e.op("Concat", []string{e.matrix(make([]float32, width), 1, width), e.part(p.table, 0, rows, width)},
		integer("axis", 0))
	most := e.integers(rows/2 + 1)
	at := placed{
		table: table, frames: frames,
		start: e.op("Sub", []string{most, frames}), end: e.op("Add", []string{most, frames}),
	}
	if int64(layers)*(rows+1)*width*4 <= e.tables {
		return at
	}
	for i := range at.waves {
		wave := e.slice(table, e.integers(int64(i)), e.integers(math.MaxInt64), 1, 2)
		at.waves[i] = e.slice(wave, at.start, e.integers(rows/2+2), 0, 1)
	}
	return at
}

// distances is a layer's projection [heads, width, 2T]. That of the whole table is constant: ONNX Runtime computes it
// when it loads the graph.
func (e *emitter) distances(a attention, p placed) string {
	if p.waves[0] != "" {
		return e.heads(a, e.mirrored(a, p), 1, 2, 0)
	}
	all := e.heads(a, e.affine(a.distance, p.table, 1), 1, 2, 0)
	return e.slice(all, p.start, p.end, 2, 1)
}

// mirrored projects sines and cosines of T..0 frames. Their sum is the projection of these distances, their difference
// that of the same ones negated: half the products.
func (e *emitter) mirrored(a attention, p placed) string {
	w := e.whole(a.distance.w)
	var waves [2]string
	for i := range waves {
		rows := e.slice(w, e.integers(int64(i)), e.integers(math.MaxInt64), 0, 2)
		waves[i] = e.product(a.distance, rows, p.waves[i], 1)
	}
	ahead := e.op("Add", []string{waves[1], waves[0]})
	behind := e.op("Sub", []string{waves[1], waves[0]})
	behind = e.slice(behind, e.integers(-2), e.integers(0), 0, -1) // from 1 frame to T−1
	return e.op("Concat", []string{ahead, behind}, integer("axis", 0))
}

// slice is x from start to before end along one axis.
func (e *emitter) slice(x, start, end string, axis, step int64) string {
	return e.op("Slice", []string{x, start, end, e.integers(axis), e.integers(step)})
}
