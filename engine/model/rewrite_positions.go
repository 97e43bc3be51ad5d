package model

import "slices"

// defaultTables is how many bytes the projected distances of all layers may take. Projecting them once, when the model
// is loaded, is worth it only where they are small: 9 MB in the default model, 70 MB in 17 layers of width 512.
const defaultTables = 16 << 20

// positions is the table of encoded distances [1, 2M−1, D], from M−1 frames down to −(M−1).
type positions struct {
	table tensor
	slice string // the part of it that T frames need
}

// placed is the table in the new graph.
type placed struct {
	rows       string // [2M, D] if each layer projects it once, [2T, D] if in each run
	once       bool
	frames     string // [T]
	start, end string // of the rows that T frames need
}

// positions reads the slice from M−T to M+T−1 of a constant table.
func (r *reader) positions(name string, p *positions) {
	r.expect(p.slice == "" || p.slice == name)
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
}

// positions puts a row in front of the table, so that T frames take 2T rows and shifting needs no padding.
func (e *emitter) positions(p positions, layers int, frames string) placed {
	rows, width := p.table.dims[1], p.table.dims[2]
	table := e.op("Concat", []string{e.matrix(make([]float32, width), 1, width), e.part(p.table, 0, rows, width)},
		integer("axis", 0))
	most := e.integers(rows/2 + 1)
	at := placed{
		rows: table, frames: frames, once: int64(layers)*(rows+1)*width*4 <= e.tables,
		start: e.op("Sub", []string{most, frames}), end: e.op("Add", []string{most, frames}),
	}
	if !at.once {
		at.rows = e.op("Slice", []string{table, at.start, at.end, e.integers(0)})
	}
	return at
}

// distances is a layer's projection [heads, width, 2T]. All before the Slice is constant if the table is: ONNX Runtime
// computes it when it loads the graph.
func (e *emitter) distances(a attention, p placed) string {
	all := e.heads(a, e.affine(a.distance, p.rows, 1), 1, 2, 0)
	if !p.once {
		return all
	}
	return e.op("Slice", []string{all, p.start, p.end, e.integers(2)})
}
