package model

import "slices"

// graphReader matches a graph against the structure of a FastConformer, from output to input. The first unexpected
// operator sets failed; later results are meaningless.
type graphReader struct {
	*graphTracer
	failed  bool
	uniform map[string]uniformValue
}

func newReader(g *onnxGraph) *graphReader {
	return &graphReader{graphTracer: newTracer(g), uniform: map[string]uniformValue{}}
}

// hasSubgraphs reports whether any operator has a subgraph, whose use of values is not traced.
func (r *graphReader) hasSubgraphs() bool {
	for _, n := range r.nodes {
		if n.nested {
			return true
		}
	}
	return false
}

// expectTrue records a failed expectation.
func (r *graphReader) expectTrue(holds bool) {
	r.failed = r.failed || !holds
}

func (r *graphReader) isOp(name, op string) bool {
	n := r.producer[name]
	return n != nil && n.op == op
}

// findOperator returns the operator that computes name, which must be an op with at least the given number of inputs.
func (r *graphReader) findOperator(name, op string, inputs int) *operatorNode {
	n := r.producer[name]
	if r.failed || n == nil || n.op != op || len(n.in) < inputs {
		r.failed = true
		return &operatorNode{in: make([]string, inputs)}
	}
	return n
}

// inputOf returns the first input of the op that computes name.
func (r *graphReader) inputOf(name, op string) string { return r.findOperator(name, op, 1).in[0] }

// readTransposed returns the input of a Transpose with that permutation.
func (r *graphReader) readTransposed(name string, perm ...int64) string {
	n := r.findOperator(name, "Transpose", 1)
	r.expectTrue(slices.Equal(n.lists["perm"], perm))
	return n.in[0]
}

// readReshaped returns the input of a Reshape whose shape is computed by a Concat that ends with the given sizes.
func (r *graphReader) readReshaped(name string, sizes ...int64) string {
	n := r.findOperator(name, "Reshape", 2)
	parts := r.findOperator(n.in[1], "Concat", len(sizes)).in
	for i, size := range sizes {
		r.expectTrue(slices.Equal(r.readIntegers(parts[len(parts)-len(sizes)+i]), []int64{size}))
	}
	return n.in[0]
}

// readSliced returns the input of a Slice along one axis from a constant start with step 1.
func (r *graphReader) readSliced(name string, axis, start int64) (in, end string) {
	n := r.findOperator(name, "Slice", 4)
	r.expectTrue(
		slices.Equal(r.readIntegers(n.in[1]), []int64{start}) && slices.Equal(r.readIntegers(n.in[3]), []int64{axis}),
	)
	r.expectTrue(len(n.in) < 5 || slices.Equal(r.readIntegers(n.in[4]), []int64{1}))
	return n.in[0], n.in[2]
}

// readSum returns the operands of an Add.
func (r *graphReader) readSum(name string) (a, b string) {
	n := r.findOperator(name, "Add", 2)
	return n.in[0], n.in[1]
}

// readWeight returns a tensor with raw data and the given number of dimensions.
func (r *graphReader) readWeight(name string, dims int) graphTensor {
	t := r.tensors[name]
	size := elementBytes[t.typ]
	r.expectTrue(len(t.dims) == dims && len(t.raw) > 0 && int64(len(t.raw)) == size*t.elementCount())
	if r.failed {
		return graphTensor{dims: make([]int64, dims)}
	}
	return t
}

// readVector returns the elements of a small float tensor of any shape.
func (r *graphReader) readVector(name string) []float32 {
	t, ok := r.tensors[name]
	v, err := t.toFloat32s()
	r.expectTrue(ok && err == nil && t.typ == typeFloat)
	return v
}

// readScalar returns a constant number.
func (r *graphReader) readScalar(name string) float32 {
	v := r.readVector(name)
	r.expectTrue(len(v) == 1)
	if r.failed {
		return 0
	}
	return v[0]
}

// readIntegers returns a constant's numbers; nil if the value is not a constant.
func (r *graphReader) readIntegers(name string) []int64 {
	t := r.tensors[name]
	return t.toInt64s()
}

// neededValues returns the values from which the graph's outputs are computed, if the value known is given.
func (r *graphReader) neededValues(known string) map[string]bool {
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

func singleOutput(n *operatorNode) string {
	if len(n.out) == 0 {
		return ""
	}
	return n.out[0]
}
