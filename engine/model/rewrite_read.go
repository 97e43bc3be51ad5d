package model

import "slices"

// reader matches a graph against what a FastConformer's should be, against the flow of data. The first operator that
// is not as expected sets failed; what is read after that is meaningless.
type reader struct {
	*tracer
	failed  bool
	uniform map[string]uniform
}

func newReader(g *graph) *reader {
	return &reader{tracer: newTracer(g), uniform: map[string]uniform{}}
}

// nested reports whether any operator holds a graph of its own, from which values could be read unseen.
func (r *reader) nested() bool {
	for _, n := range r.nodes {
		if n.nested {
			return true
		}
	}
	return false
}

// expect notes whether what must hold does.
func (r *reader) expect(holds bool) {
	r.failed = r.failed || !holds
}

func (r *reader) is(name, op string) bool {
	n := r.producer[name]
	return n != nil && n.op == op
}

// operator is the one that computes name, which must be an op of so many inputs at least.
func (r *reader) operator(name, op string, inputs int) *node {
	n := r.producer[name]
	if r.failed || n == nil || n.op != op || len(n.in) < inputs {
		r.failed = true
		return &node{in: make([]string, inputs)}
	}
	return n
}

// input is the first input of the op that computes name.
func (r *reader) input(name, op string) string { return r.operator(name, op, 1).in[0] }

// transposed is the input of a Transpose with that permutation.
func (r *reader) transposed(name string, perm ...int64) string {
	n := r.operator(name, "Transpose", 1)
	r.expect(slices.Equal(n.lists["perm"], perm))
	return n.in[0]
}

// reshaped is the input of a Reshape whose shape is computed by a Concat that ends with the given sizes.
func (r *reader) reshaped(name string, sizes ...int64) string {
	n := r.operator(name, "Reshape", 2)
	parts := r.operator(n.in[1], "Concat", len(sizes)).in
	for i, size := range sizes {
		r.expect(slices.Equal(r.integers(parts[len(parts)-len(sizes)+i]), []int64{size}))
	}
	return n.in[0]
}

// sliced is the input of a Slice along one axis from a constant start with step 1.
func (r *reader) sliced(name string, axis, start int64) (in, end string) {
	n := r.operator(name, "Slice", 4)
	r.expect(slices.Equal(r.integers(n.in[1]), []int64{start}) && slices.Equal(r.integers(n.in[3]), []int64{axis}))
	r.expect(len(n.in) < 5 || slices.Equal(r.integers(n.in[4]), []int64{1}))
	return n.in[0], n.in[2]
}

// sum is the operands of an Add.
func (r *reader) sum(name string) (a, b string) {
	n := r.operator(name, "Add", 2)
	return n.in[0], n.in[1]
}

// weight is a tensor of floats or bytes that the file holds as raw data, of that many dimensions.
func (r *reader) weight(name string, dims int) tensor {
	t := r.tensors[name]
	size := elementBytes[t.typ]
	r.expect(len(t.dims) == dims && len(t.raw) > 0 && int64(len(t.raw)) == size*t.elements())
	if r.failed {
		return tensor{dims: make([]int64, dims)}
	}
	return t
}

// vector is a small float tensor's numbers, whatever its shape.
func (r *reader) vector(name string) []float32 {
	t, ok := r.tensors[name]
	v, err := t.float32s()
	r.expect(ok && err == nil && t.typ == typeFloat)
	return v
}

// scalar is a constant number.
func (r *reader) scalar(name string) float32 {
	v := r.vector(name)
	r.expect(len(v) == 1)
	if r.failed {
		return 0
	}
	return v[0]
}

// integers is a constant's numbers, nil when it is none.
func (r *reader) integers(name string) []int64 {
	t := r.tensors[name]
	return t.int64s()
}

// needed names the values that the graph's outputs are computed from when the value known is given.
func (r *reader) needed(known string) map[string]bool {
	live := map[string]bool{}
	queue := append([]string(nil), r.outputs...)
	for len(queue) > 0 {
		name := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if live[name] {
			continue
		}
		live[name] = true
		if n := r.producer[name]; n != nil && name != known {
			queue = append(queue, n.in...)
		}
	}
	return live
}

func output(n *node) string {
	if len(n.out) == 0 {
		return ""
	}
	return n.out[0]
}
