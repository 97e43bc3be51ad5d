package kernel

import "math"

// Sigmoid replaces each x by 1/(1+exp(-x)), within 2e-7 of its value. Below x = -87 the result
// is at most the smallest normal float32.
func Sigmoid(x []float32) { sigmoid(x) }

// Tanh replaces each x by its hyperbolic tangent, within 2e-7 of its value.
func Tanh(x []float32) { tanh(x) }

// ReLUAdd computes dst = max(0, a+b), the hidden layer of a joint network. dst, a and b have the
// same length; dst may be a or b. A NaN stays NaN.
func ReLUAdd(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	reluAdd(dst, a, b)
}

// LSTMStep finishes one step of an LSTM cell of size H = len(c) whose four matrix products are
// summed in gates [4H], in ONNX's order: input, output, forget, cell.
// It updates the cell state c [H], writes the output h [H], and overwrites gates.
//
//	c = σ(f)·c + σ(i)·tanh(g)    h = σ(o)·tanh(c)
func LSTMStep(gates, c, h []float32) {
	n := len(c)
	h = h[:n]
	Sigmoid(gates[:3*n])
	Tanh(gates[3*n : 4*n])
	in, out, forget, cell := gates[:n], gates[n:2*n], gates[2*n:3*n], gates[3*n:4*n]
	for j := range c {
		c[j] = forget[j]*c[j] + in[j]*cell[j]
	}
	copy(h, c)
	Tanh(h)
	for j, o := range out {
		h[j] *= o
	}
}

func sigmoidGo(x []float32) {
	for i, v := range x {
		x[i] = float32(1 / (1 + math.Exp(-float64(v))))
	}
}

func tanhGo(x []float32) {
	for i, v := range x {
		x[i] = float32(math.Tanh(float64(v)))
	}
}

func reluAddGo(dst, a, b []float32) {
	for i := range dst {
		dst[i] = max(0, a[i]+b[i])
	}
}
