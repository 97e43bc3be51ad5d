package model

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	assetsort "munadi/assets/ort"
	"munadi/engine/features"
	"munadi/engine/ort"
)

// Products of real activations with the weights of a feed-forward layer are added as vpmaddubsw does, two in 16 bits
// with saturation. Weights up to ±127 lose sums, those that are written don't.
func TestWeightsDoNotSaturate(t *testing.T) {
	f, err := FolderAt("../testdata/reference")
	if err != nil {
		t.Fatal(err)
	}
	l, err := findLayout(f, FP32)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.openFile(l.encoder)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	g, err := parseGraph(b.bytes)
	if err != nil {
		t.Fatal(err)
	}
	c := newReader(g).readConformer()
	dir := t.TempDir()
	if err := QuantizeFolder(f, dir); err != nil {
		t.Fatal(err)
	}
	inputs := normOutputs(t, filepath.Join(dir, quantizedName(l)))
	lost := map[float32]int{}
	for i, layer := range c.layers {
		w := layer.before.in.w
		v, err := w.toFloat32s()
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []float32{127, largestWeight} {
			raw, _ := quantizeMatrix(v, int(w.dims[0]), int(w.dims[1]), most)
			lost[most] += countSaturated(quantizeActivations(inputs[i]), raw, int(w.dims[0]), int(w.dims[1]))
		}
	}
	t.Logf("sums that saturate: %d with ±127, %d with ±%d", lost[127], lost[largestWeight], largestWeight)
	if lost[127] == 0 || lost[largestWeight] > 0 {
		t.Errorf("%d sums saturate with ±127, %d with ±%d", lost[127], lost[largestWeight], largestWeight)
	}
}

// normOutputs returns the quantized inputs of each layer's first product, by layer, for a recorded sentence.
func normOutputs(t *testing.T, encoder string) [][]float32 {
	t.Helper()
	loadRuntime(t)
	file, err := os.ReadFile(encoder)
	if err != nil {
		t.Fatal(err)
	}
	g := readGraph(t, encoder)
	var names []string
	extra := []byte{}
	r := newReader(g)
	for _, n := range g.nodes {
		if n.op == "DynamicQuantizeLinear" && r.isOp(n.in[0], "LayerNormalization") {
			names = append(names, n.in[0])
			extra = appendOutput(extra, n.in[0], int(g.tensors[r.producer[n.in[0]].in[1]].elementCount()))
		}
	}
	file = appendMessage(file, modelGraph, extra) // repeated fields of a second message are appended
	s, err := ort.NewSession(ort.ModelGraph{Bytes: file, Dir: filepath.Dir(encoder)},
		[]string{tensorAudio, tensorLength}, names, ort.SessionOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	mel, valid := recordedMel(t)
	out, err := s.Run(t.Context(), ort.DenseTensor{Shape: []int64{1, 80, int64(valid)}, F32: mel},
		ort.DenseTensor{Shape: []int64{1}, I64: []int64{int64(valid)}})
	if err != nil {
		t.Fatal(err)
	}
	var inputs [][]float32
	for i := 0; i < len(out); i += len(out) / 8 { // of each of the eight layers the first norm
		inputs = append(inputs, out[i].F32)
	}
	return inputs
}

func loadRuntime(t *testing.T) {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(filepath.Join(os.TempDir(), "munadi-test-ort"))
	if err != nil {
		t.Fatal(err)
	}
	if err := ort.LoadLibrary(path); err != nil {
		t.Fatal(err)
	}
}

// recordedMel returns the features of a recorded sentence, valid frames only.
func recordedMel(t *testing.T) (mel []float32, valid int) {
	t.Helper()
	wav, err := os.ReadFile("../testdata/golden/g28.wav")
	if err != nil {
		t.Fatal(err)
	}
	var samples []float32
	for data := wav[44:]; len(data) >= 2; data = data[2:] {
		samples = append(samples, float32(int16(binary.LittleEndian.Uint16(data)))/32768)
	}
	x, err := features.NewExtractor(80, features.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	padded, valid := x.ExtractMel(nil, samples)
	for band := range 80 {
		mel = append(mel, padded[band*(valid+1):band*(valid+1)+valid]...)
	}
	return mel, valid
}

// quantizeActivations is DynamicQuantizeLinear of ONNX: the range with 0 on 0 to 255.
func quantizeActivations(v []float32) []byte {
	var low, high float32
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	scale := (high - low) / 255
	zero := float32(math.RoundToEven(float64(-low / scale)))
	out := make([]byte, len(v))
	for i, x := range v {
		out[i] = byte(min(max(float32(math.RoundToEven(float64(x/scale)))+zero, 0), 255))
	}
	return out
}

// countSaturated counts the sums of two products of x [frames, in] and w [in, out] that do not fit into 16 bits.
func countSaturated(x, w []byte, in, out int) int {
	lost := 0
	for row := 0; row+in <= len(x); row += in {
		for k := 0; k+1 < in; k += 2 {
			a, b := int(x[row+k]), int(x[row+k+1])
			for column := range out {
				sum := a*int(int8(w[k*out+column])) + b*int(int8(w[(k+1)*out+column]))
				if sum > math.MaxInt16 || sum < math.MinInt16 {
					lost++
				}
			}
		}
	}
	return lost
}

// A file of weights up to ±127, as earlier versions wrote them where the processor has VNNI, is recognized.
func TestWideWeightsAreRecognized(t *testing.T) {
	f, err := FolderAt("../testdata/reference")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := QuantizeFolder(f, dir); err != nil {
		t.Fatal(err)
	}
	for _, wide := range []bool{false, true} {
		if wide {
			widenWeights(t, filepath.Join(dir, encoderFile+dataSuffix))
		}
		to, err := FolderAt(dir)
		if err != nil {
			t.Fatal(err)
		}
		loadRuntime(t)
		m, err := OpenModel(to, ModelOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if m.Wide != wide || !m.Int8 {
			t.Errorf("wide %v, want %v; int8 %v", m.Wide, wide, m.Int8)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// widenWeights doubles each byte of the file's matrices that is a 7-bit weight; other numbers become meaningless.
func widenWeights(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g := readGraph(t, filepath.Join(filepath.Dir(path), encoderFile))
	for _, n := range g.nodes {
		if n.op != "MatMulInteger" {
			continue
		}
		w := g.tensors[n.in[1]]
		for i := range int(w.elementCount()) {
			b[w.at+i] = byte(2 * int8(b[w.at+i]))
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readGraph(t *testing.T, path string) *onnxGraph {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := parseGraph(file)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHasWideByte compares every byte at every place of two words and a rest with the definition.
func TestHasWideByte(t *testing.T) {
	t.Parallel()
	for value := range 256 {
		wide := int8(value) >= saturatesFrom || int8(value) <= -saturatesFrom
		for at := range 19 {
			raw := slices.Repeat([]byte{64, 192, 0}, 7)[:19] // 64, −64 and 0 are narrow
			raw[at] = byte(value)
			if got := hasWideByte(raw); got != wide {
				t.Errorf("%d at %d: %v, want %v", int8(value), at, got, wide)
			}
		}
	}
}
