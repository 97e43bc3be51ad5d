package decode_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/decode"
)

// referenceLSTM is the prediction network and joint of the reference model, written plainly: one LSTM layer, additive joint
// with ReLU. Matrices are row-major as testdata/make.py wrote them.
type referenceLSTM struct {
	hidden, joint, blank int

	embed, w, r, bias  []float32 // [V+1, H], [4H, H] twice in gate order i o f c, [8H]
	pred, predBias     []float32 // [H, J], [J]
	output, outputBias []float32 // [J, V+1], [V+1]
}

func newLSTM(t *testing.T, path string) *referenceLSTM {
	t.Helper()
	flat, _, _ := readNPY(t, path)
	n := &referenceLSTM{hidden: 160, joint: 160, blank: 256}
	take := func(size int) []float32 {
		part := flat[:size]
		flat = flat[size:]
		return part
	}
	h, j, v := n.hidden, n.joint, n.blank+1
	n.embed, n.w, n.r, n.bias = take(v*h), take(4*h*h), take(4*h*h), take(8*h)
	n.pred, n.predBias = take(h*j), take(j)
	n.output, n.outputBias = take(j*v), take(v)
	if len(flat) != 0 {
		t.Fatalf("%s: %d values too many", path, len(flat))
	}
	return n
}

func (n *referenceLSTM) BlankID() int { return n.blank }

func (n *referenceLSTM) StartState() *decode.PredictionState {
	return n.NextState(&decode.PredictionState{H: make([]float32, n.hidden), C: make([]float32, n.hidden)}, n.blank)
}

func (n *referenceLSTM) NextState(s *decode.PredictionState, label int) *decode.PredictionState {
	x := n.embed[label*n.hidden : (label+1)*n.hidden]
	next := &decode.PredictionState{H: make([]float32, n.hidden), C: make([]float32, n.hidden)}
	for i := range n.hidden {
		in, out, forget := sigmoidOf(n.gateValue(0, i, x, s.H)), sigmoidOf(n.gateValue(1, i, x, s.H)), sigmoidOf(n.gateValue(2, i, x, s.H))
		cell := forget*float64(s.C[i]) + in*math.Tanh(n.gateValue(3, i, x, s.H))
		next.C[i], next.H[i] = float32(cell), float32(out*math.Tanh(cell))
	}
	next.Pred = append([]float32(nil), n.predBias...)
	addProduct(next.Pred, next.H, n.pred)
	return next
}

func (n *referenceLSTM) gateValue(g, i int, x, h []float32) float64 {
	at := g*n.hidden + i
	sum := float64(n.bias[at]) + float64(n.bias[4*n.hidden+at])
	for k := range n.hidden {
		sum += float64(n.w[at*n.hidden+k])*float64(x[k]) + float64(n.r[at*n.hidden+k])*float64(h[k])
	}
	return sum
}

func (n *referenceLSTM) JointLogits(dst, enc []float32, s *decode.PredictionState) {
	z := make([]float32, n.joint)
	for i := range z {
		z[i] = max(0, enc[i]+s.Pred[i])
	}
	copy(dst, n.outputBias)
	addProduct(dst, z, n.output)
}

func sigmoidOf(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// addProduct adds x·m to dst, m being [len(x), len(dst)].
func addProduct(dst, x, m []float32) {
	for i, v := range x {
		for k := range dst {
			dst[k] += v * m[i*len(dst)+k]
		}
	}
}

// batchedNetwork is a network with a JointBatch, to see that searches use it and get the same.
type batchedNetwork struct {
	decode.TransducerNetwork
	calls int
}

func (b *batchedNetwork) JointBatch(dst, encs []float32, states []*decode.PredictionState) {
	b.calls++
	labels, j := b.BlankID()+1, len(encs)/len(states)
	for i, s := range states {
		b.JointLogits(dst[i*labels:(i+1)*labels], encs[i*j:(i+1)*j], s)
	}
}

// readNPY reads a little-endian float32 array of NumPy's format 1.0 and its last two dimensions.
func readNPY(t *testing.T, path string) (data []float32, rows, cols int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header := 10 + int(binary.LittleEndian.Uint16(b[8:]))
	_, shape, ok := strings.Cut(string(b[10:header]), "'shape': (")
	if !ok || !strings.Contains(string(b[:header]), "'<f4', 'fortran_order': False") {
		t.Fatalf("%s: not a plain float32 array", path)
	}
	if n, _ := fmt.Sscanf(shape, "%d, %d)", &rows, &cols); n < 2 {
		cols = 1
	}
	data = make([]float32, (len(b)-header)/4)
	if err := binary.Read(bytes.NewReader(b[header:]), binary.LittleEndian, data); err != nil || len(data) != rows*cols {
		t.Fatalf("%s: %d values for [%d, %d]: %v", path, len(data), rows, cols, err)
	}
	return data, rows, cols
}

// goldenVectors are the files that testdata/make.py made.
type goldenVectors struct {
	dir     string
	Blank   int
	Pieces  []string
	Context []struct {
		Text string
		IDs  []int
	}
	Files map[string]struct {
		RNNT       map[string][]nemoAnswer
		CTC        map[string][]nemoAnswer
		RNNTGreedy nemoAnswer             `json:"rnnt_greedy"`
		CTCWS      map[string]spotAnswers `json:"ctc_ws"`
	}
}

// nemoAnswer is a hypothesis of NeMo.
type nemoAnswer struct {
	Score          float64
	Tokens, Frames []int
}

// spotAnswers are what NeMo's word spotter found with some parameters.
type spotAnswers struct {
	Params map[string]float64
	Hyps   []struct {
		Word  string
		Score float64
		Start int `json:"start_frame"`
		End   int `json:"end_frame"`
	}
	MergedCTC  string `json:"merged_ctc"`
	MergedRNNT string `json:"merged_rnnt"`
}

// readGolden reads the vectors of testdata, or of the folder in MUNADI_DECODE_GOLDEN (make.py --all).
func readGolden(t *testing.T) goldenVectors {
	t.Helper()
	v := goldenVectors{dir: "testdata"}
	if dir := os.Getenv("MUNADI_DECODE_GOLDEN"); dir != "" {
		v.dir = dir
	}
	b, err := os.ReadFile(filepath.Join(v.dir, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v goldenVectors) frameVectors(t *testing.T, name string) decode.EncoderFrames {
	t.Helper()
	data, rows, cols := readNPY(t, filepath.Join(v.dir, name+".enc.npy"))
	return decode.EncoderFrames{Data: data, T: rows, J: cols}
}

func (v goldenVectors) logProbs(t *testing.T, name string) decode.LogProbs {
	t.Helper()
	data, rows, cols := readNPY(t, filepath.Join(v.dir, name+".ctc.npy"))
	return decode.LogProbs{Data: data, T: rows, Labels: cols}
}
