package model

// emitSilero emits the network. All values are matrices with a row for each window.
func (e *graphEmitter) emitSilero(w sileroWeights) {
	spectra := e.emitSpectra(w)
	x := e.emitSileroConvolutions(w, spectra)
	x = e.emitOp("Reshape", []string{x, e.emitIntegers(-1, 1, sileroHidden)})
	hidden := e.newName()
	lstm := []string{
		x,
		e.emitMatrix(w.input, 1, 4*sileroHidden, sileroHidden), e.emitMatrix(w.hidden, 1, 4*sileroHidden, sileroHidden),
		e.emitMatrix(w.gates, 1, 8*sileroHidden), "", "h", "c",
	}
	e.emitNode("LSTM", lstm, []string{hidden, "hn", "cn"}, intAttribute("hidden_size", sileroHidden))
	y := e.emitOp("Relu", []string{e.emitOp("Reshape", []string{hidden, e.emitIntegers(-1, sileroHidden)})})
	y = e.emitOp("Gemm", []string{y, e.emitMatrix(w.out, sileroHidden, 1), e.emitFloats(w.outBias)})
	y = e.emitOp("Sigmoid", []string{y})
	e.emitNode("Reshape", []string{y, e.emitIntegers(-1)}, []string{"speech_probs"})
}

// emitSpectra returns the magnitudes of the four spectra of each window. A spectrum's samples n and part-n have equal
// weights, so they are added first: samples from its second on, and those before its end backwards. The last spectrum
// ends beyond the window, where the signal is reflected about its last sample.
func (e *graphEmitter) emitSpectra(w sileroWeights) []string {
	one := e.emitIntegers(1)
	columns := func(x string, from, to int64) string {
		return e.emitOp("Slice", []string{x, e.emitIntegers(from), e.emitIntegers(to), one})
	}
	backwards := e.emitOp("Slice", []string{
		"input", e.emitIntegers(-1), e.emitIntegers(-sileroInput - 1), one, e.emitIntegers(-1),
	})
	const half = sileroPart / 2
	var ahead, back []string
	for part := range int64(sileroParts) {
		start := part * sileroHop
		ahead = append(ahead, columns("input", start+1, start+1+half))
		if end := start + sileroPart; end <= sileroInput {
			from := sileroInput - end
			back = append(back, columns(backwards, from, from+half))
			continue
		}
		mirrored := columns("input", sileroMirror-sileroReflect, sileroMirror)
		back = append(back, e.emitOp("Concat", []string{mirrored, columns(backwards, 0, half-sileroReflect)},
			intAttribute("axis", 1)))
	}
	rows := intAttribute("axis", 0)
	x, y := e.emitOp("Concat", ahead, rows), e.emitOp("Concat", back, rows)
	square := func(op string, row int) string {
		v := e.emitOp("Gemm", []string{e.emitOp(op, []string{x, y}), e.emitMatrix(w.foldedBasis(row), half, sileroBins)})
		return e.emitOp("Mul", []string{v, v})
	}
	all := e.emitOp("Sqrt", []string{e.emitOp("Add", []string{square("Add", 0), square("Sub", sileroBins)})})
	spectra := make([]string, sileroParts)
	for i := range spectra {
		spectra[i] = e.newName()
	}
	e.emitNode("Split", []string{all}, spectra, rows)
	return spectra
}

// emitSileroConvolutions returns the input of the LSTM. The convolutions have three taps and padding of one frame; the
// second and third have a stride of 2, so that four frames become two and one.
func (e *graphEmitter) emitSileroConvolutions(w sileroWeights, frames []string) string {
	for layer := range w.conv {
		stride := 1
		if layer == 1 || layer == 2 {
			stride = 2
		}
		outs := len(w.bias[layer])
		bias, weights := e.emitFloats(w.bias[layer]), map[[2]int]string{}
		var next []string
		for at := 0; at < len(frames); at += stride {
			first, last := max(at-1, 0), min(at+2, len(frames)) // frames under the taps, without padding
			taps := [2]int{first - at + 1, last - at + 1}
			if weights[taps] == "" {
				m := w.tapMatrix(layer, taps[0], taps[1])
				weights[taps] = e.emitMatrix(m, int64(len(m)/outs), int64(outs))
			}
			x := frames[first]
			if last-first > 1 {
				x = e.emitOp("Concat", frames[first:last], intAttribute("axis", 1))
			}
			next = append(next, e.emitOp("Relu", []string{e.emitOp("Gemm", []string{x, weights[taps], bias})}))
		}
		frames = next
	}
	return frames[0]
}
