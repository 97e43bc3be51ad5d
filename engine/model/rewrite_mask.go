package model

import "slices"

// uniformValue is the number that all elements of a value equal, if that is known.
type uniformValue struct {
	value float32
	known bool
}

// uniformOf evaluates a padding mask under the assumption that all frames are valid, so that its elements are equal.
// NeMo's exporter computes it as positions < lengths and passes it through operators that copy, combine and negate.
// Other masks (limited context, chunks) contain operators that are not supported here, and are unknown.
func (r *graphReader) uniformOf(name string) uniformValue {
	u, seen := r.uniform[name]
	if n := r.producer[name]; !seen && n != nil {
		r.uniform[name] = uniformValue{} // a cycle, only in an invalid file, has no value
		u = r.evaluateNode(n)
		r.uniform[name] = u
	}
	return u
}

func (r *graphReader) evaluateNode(n *operatorNode) uniformValue {
	if len(n.in) == 0 {
		return uniformValue{}
	}
	switch n.op {
	case "Cast", "Expand", "Tile", "Transpose", "Unsqueeze", "Squeeze", "Slice", "Identity":
		return r.uniformOf(n.in[0])
	case "ConstantOfShape":
		return uniformValue{1, n.tensor != nil && n.tensor.typ == typeBool && string(n.tensor.raw) == "\x01"}
	case "Less":
		return uniformValue{1, len(n.in) == 2 && r.countsFrames(n.in[0]) && r.isFromLengths(n.in[1])}
	case "Not":
		u := r.uniformOf(n.in[0])
		return uniformValue{1 - u.value, u.known}
	case "And":
		a, b := r.uniformOf(n.in[0]), r.uniformOf(n.in[len(n.in)-1])
		return uniformValue{a.value * b.value, a.known && b.known}
	}
	return uniformValue{}
}

// countsFrames reports whether a value counts frames from 0.
func (r *graphReader) countsFrames(name string) bool {
	n := r.producer[name]
	for range r.nodes {
		if n == nil || len(n.in) == 0 || n.op != "Expand" && n.op != "Unsqueeze" {
			break
		}
		n = r.producer[n.in[0]]
	}
	return n != nil && n.op == "Range" && len(n.in) == 3 &&
		slices.Equal(r.readIntegers(n.in[0]), []int64{0}) && slices.Equal(r.readIntegers(n.in[2]), []int64{1})
}

// isFromLengths reports whether a value is computed only from the utterances' lengths and constants.
func (r *graphReader) isFromLengths(name string) bool {
	for range r.nodes {
		if name == tensorLength {
			return true
		}
		n := r.producer[name]
		if n == nil || len(n.in) == 0 {
			return false
		}
		switch n.op {
		case "Cast", "Unsqueeze", "Floor":
		case "Add", "Sub", "Div":
			if _, constant := r.tensors[n.in[len(n.in)-1]]; !constant {
				return false
			}
		default:
			return false
		}
		name = n.in[0]
	}
	return false
}

// readUnmasked returns the input of a multiplication by a mask of ones; name itself if there is none.
func (r *graphReader) readUnmasked(name string) (in string, masked bool) {
	n := r.producer[name]
	if n == nil || n.op != "Mul" || len(n.in) != 2 || r.uniformOf(n.in[1]) != (uniformValue{1, true}) {
		return name, false
	}
	return n.in[0], true
}

// readUnfilled returns the input of a Where whose mask is zero everywhere.
func (r *graphReader) readUnfilled(name string) string {
	n := r.findOperator(name, "Where", 3)
	r.expectTrue(r.uniformOf(n.in[0]) == uniformValue{0, true})
	return n.in[2]
}
