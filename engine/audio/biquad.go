package audio

// BiquadFilter is a second-order IIR filter (transposed direct form II); its coefficients are divided by a0.
type BiquadFilter struct {
	B0, B1, B2, A1, A2 float64
	z1, z2             float64
}

// FilterSample returns the next sample of the output.
func (f *BiquadFilter) FilterSample(x float64) float64 {
	y := f.B0*x + f.z1
	f.z1 = f.B1*x - f.A1*y + f.z2
	f.z2 = f.B2*x - f.A2*y
	return y
}
