package model

import "slices"

// convSubsampling holds the convolutions before the layers and the projection of their channels and bands.
type convSubsampling struct {
	steps []*operatorNode // Conv and Relu, in order
	w     map[*operatorNode][2]graphTensor
	out   affineMap
	scale float32
}

func (r *graphReader) readSubsampling(name string) convSubsampling {
	s := convSubsampling{scale: 1, w: map[*operatorNode][2]graphTensor{}}
	if r.isOp(name, "Mul") {
		n := r.findOperator(name, "Mul", 2)
		s.scale, name = r.readScalar(n.in[1]), n.in[0]
	}
	s.out, name = r.readAffine(name)
	name, _ = r.readUnmasked(r.readTransposed(r.readReshaped(name, -1), 0, 2, 1, 3))
	for !r.failed && !r.isOp(name, "Unsqueeze") {
		name, _ = r.readUnmasked(r.readStep(&s, name))
		r.expectTrue(len(s.steps) < len(r.nodes))
	}
	n := r.findOperator(name, "Unsqueeze", 2)
	r.expectTrue(slices.Equal(r.readIntegers(n.in[1]), []int64{1}) && r.readTransposed(n.in[0], 0, 2, 1) == tensorAudio)
	return s
}

// readStep reads a Relu or a convolution. The input of a convolution over several frames must be masked after the last
// valid one, which equals an input that ends there.
func (r *graphReader) readStep(s *convSubsampling, name string) string {
	if !r.isOp(name, "Conv") {
		n := r.findOperator(name, "Relu", 1)
		s.steps = append([]*operatorNode{n}, s.steps...)
		return n.in[0]
	}
	n := r.findOperator(name, "Conv", 2)
	w := [2]graphTensor{r.readWeight(n.in[1], 4)}
	if len(n.in) > 2 {
		w[1] = r.readWeight(n.in[2], 1)
	}
	_, masked := r.readUnmasked(n.in[0])
	r.expectTrue(masked || w[0].dims[2] == 1)
	s.steps, s.w[n] = append([]*operatorNode{n}, s.steps...), w
	return n.in[0]
}

// emitSubsampling computes [T', D] of audio_signal [1, F, T].
func (e *graphEmitter) emitSubsampling(s convSubsampling) string {
	x := e.emitOp("Transpose", []string{tensorAudio}, intsAttribute("perm", 0, 2, 1))
	x = e.emitOp("Unsqueeze", []string{x, e.emitIntegers(1)})
	for _, n := range s.steps {
		in := []string{x}
		for _, w := range s.w[n] {
			if len(w.dims) > 0 {
				in = append(in, e.emitWeight(w))
			}
		}
		x = e.emitOp(n.op, in, n.marshalAttributes()...)
	}
	x = e.emitOp("Transpose", []string{x}, intsAttribute("perm", 0, 2, 1, 3))
	x = e.emitOp("Reshape", []string{x, e.emitIntegers(-1, s.out.w.dims[0])})
	return e.emitAffine(s.out, x, s.scale)
}
