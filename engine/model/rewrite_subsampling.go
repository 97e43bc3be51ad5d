package model

import "slices"

// subsampling is the convolutions in front of the layers and the projection of their channels and bands.
type subsampling struct {
	steps []*node // Conv and Relu, in order
	w     map[*node][2]tensor
	out   affine
	scale float32
}

func (r *reader) subsampling(name string) subsampling {
	s := subsampling{scale: 1, w: map[*node][2]tensor{}}
	if r.is(name, "Mul") {
		n := r.operator(name, "Mul", 2)
		s.scale, name = r.scalar(n.in[1]), n.in[0]
	}
	s.out, name = r.affine(name)
	name, _ = r.unmasked(r.transposed(r.reshaped(name, -1), 0, 2, 1, 3))
	for !r.failed && !r.is(name, "Unsqueeze") {
		name, _ = r.unmasked(r.step(&s, name))
		r.expect(len(s.steps) < len(r.nodes))
	}
	n := r.operator(name, "Unsqueeze", 2)
	r.expect(slices.Equal(r.integers(n.in[1]), []int64{1}) && r.transposed(n.in[0], 0, 2, 1) == tensorAudio)
	return s
}

// step reads a Relu, or a convolution. One that looks at more than its own frame must see zeros behind the last valid
// one, as it will when the input ends there.
func (r *reader) step(s *subsampling, name string) string {
	if !r.is(name, "Conv") {
		n := r.operator(name, "Relu", 1)
		s.steps = append([]*node{n}, s.steps...)
		return n.in[0]
	}
	n := r.operator(name, "Conv", 2)
	w := [2]tensor{r.weight(n.in[1], 4)}
	if len(n.in) > 2 {
		w[1] = r.weight(n.in[2], 1)
	}
	_, masked := r.unmasked(n.in[0])
	r.expect(masked || w[0].dims[2] == 1)
	s.steps, s.w[n] = append([]*node{n}, s.steps...), w
	return n.in[0]
}

// subsampling computes [T', D] of audio_signal [1, F, T].
func (e *emitter) subsampling(s subsampling) string {
	x := e.op("Transpose", []string{tensorAudio}, ints("perm", 0, 2, 1))
	x = e.op("Unsqueeze", []string{x, e.integers(1)})
	for _, n := range s.steps {
		in := []string{x}
		for _, w := range s.w[n] {
			if len(w.dims) > 0 {
				in = append(in, e.whole(w))
			}
		}
		x = e.op(n.op, in, n.attributes()...)
	}
	x = e.op("Transpose", []string{x}, ints("perm", 0, 2, 1, 3))
	x = e.op("Reshape", []string{x, e.integers(-1, s.out.w.dims[0])})
	return e.affine(s.out, x, s.scale)
}
