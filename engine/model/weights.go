package model

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"munadi/engine/kernel"
	"munadi/engine/ort"
)

// lstmLayer is one layer of the prediction network. r is [4H, H], b is [4H]; gates are in ONNX's order: input, output,
// forget, cell.
type lstmLayer struct {
	w      []float32 // [4H, I]; nil in the first layer, whose products are in the table
	r      []float32
	b      []float32
	hidden int
	inputs int
}

// predictionWeights holds the weights of the RNNT head.
type predictionWeights struct {
	table  []float32 // [V+1, 4H]: w·embedding + b of the first layer, one row per label; see fillTable
	layers []lstmLayer
	pred   linearLayer               // [J, H], transposed: hidden state to joint space
	out    linearLayer               // [V+1, J], transposed: joint space to logits
	enc    linearLayer               // [D, J]: encoder to joint space; runs inside the encoder's graph
	act    func(dst, a, b []float32) // activation(a + b)
	labels int                       // V+1
	// durations are those that the logits after the labels score (TDT); none for other transducers.
	durations []int

	embedding []float32 // [V+1, I], until the table is filled
}

// tracePredictor reads the prediction network from one graph and the joint from another (they may be the same).
func tracePredictor(prediction, joint *onnxGraph) (*predictionWeights, error) {
	p := &predictionWeights{}
	if err := p.traceJoint(newTracer(joint)); err != nil {
		return nil, fmt.Errorf("joint: %w", err)
	}
	if err := p.traceLSTM(newTracer(prediction)); err != nil {
		return nil, fmt.Errorf("prediction network: %w", err)
	}
	return p, p.checkShapes()
}

func (p *predictionWeights) traceJoint(t *graphTracer) error {
	if len(t.outputs) == 0 {
		return errors.New("the graph has no output")
	}
	out, err := t.traceLinear(t.outputs[0])
	if err != nil {
		return err
	}
	act := t.producer[out.x]
	if act == nil || activations[act.op] == nil {
		return errors.New("no activation (Relu, Tanh or Sigmoid) before the last layer")
	}
	p.act = activations[act.op]
	sum, _ := t.traceSource(act.in[0])
	if sum == nil || sum.op != "Add" || len(sum.in) != 2 {
		return errors.New("the activation's input is not the sum of encoder and prediction")
	}
	for _, operand := range sum.in {
		if err := p.traceBranch(t, operand); err != nil {
			return err
		}
	}
	p.out, p.labels = transposeLinear(out), out.out
	return nil
}

// traceBranch reads one side of the joint: the encoder's, which comes from the graph's encoder input, or the
// prediction's.
func (p *predictionWeights) traceBranch(t *graphTracer, operand string) error {
	l, err := t.traceLinear(operand)
	if err != nil {
		return err
	}
	if n, name := t.traceSource(l.x); n == nil && name == tensorEncoderOutputs {
		p.enc = l
	} else {
		p.pred = transposeLinear(l)
	}
	return nil
}

// activations are the joint's, each over the sum of its operands (jointnet.activation in NeMo).
var activations = map[string]func(dst, a, b []float32){
	"Relu":    kernel.ReLUAdd,
	"Tanh":    func(dst, a, b []float32) { addVectors(dst, a, b); kernel.Tanh(dst) },
	"Sigmoid": func(dst, a, b []float32) { addVectors(dst, a, b); kernel.Sigmoid(dst) },
}

func addVectors(dst, a, b []float32) {
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

// transposeLinear makes the weights [out, in] row-major, as kernel.MatVec takes them.
func transposeLinear(l linearLayer) linearLayer {
	l.w = transposeMatrix(l.w, l.in, l.out)
	return l
}

func (p *predictionWeights) traceLSTM(t *graphTracer) error {
	gathers, cells := t.findNodes("Gather"), t.findNodes("LSTM", "DynamicQuantizeLSTM")
	if len(gathers) == 0 || len(cells) == 0 {
		return errors.New("no embedding or no LSTM in the graph (stateless predictors are not supported)")
	}
	embedding, err := t.traceEmbedding(gathers)
	if err != nil {
		return err
	}
	for _, n := range cells {
		layer, err := t.traceLSTM(n)
		if err != nil {
			return err
		}
		p.layers = append(p.layers, layer)
	}
	return p.allocateTable(embedding)
}

// traceEmbedding returns the table that labels are looked up in: the first Gather over a two-dimensional float weight.
func (t *graphTracer) traceEmbedding(gathers []*operatorNode) (graphTensor, error) {
	for _, n := range gathers {
		if w, ok := t.tensors[n.in[0]]; ok && len(w.dims) == 2 {
			data, err := t.dequantizeTensor(w)
			w.floats, w.raw, w.typ = data, nil, typeFloat
			return w, err
		}
		// Quantized: DequantizeLinear of the gathered rows or of the table.
		if d := t.producer[n.in[0]]; d != nil && d.op == "DequantizeLinear" {
			if w, ok := t.tensors[d.in[0]]; ok && len(w.dims) == 2 {
				data, err := t.dequantizeTensor(w)
				w.floats, w.raw, w.typ = data, nil, typeFloat
				return w, err
			}
		}
	}
	return graphTensor{}, errors.New("the graph has no embedding table")
}

// traceLSTM reads one LSTM. ONNX stores w [1, 4H, I] and r [1, 4H, H]; the quantized operator stores them transposed.
func (t *graphTracer) traceLSTM(n *operatorNode) (lstmLayer, error) {
	if len(n.in) < 4 {
		return lstmLayer{}, errors.New("an LSTM without bias is not supported")
	}
	var l lstmLayer
	mats := [2][]float32{}
	for i := range mats {
		w, err := t.findTensor(n.in[1+i])
		if err != nil {
			return l, err
		}
		if len(w.dims) != 3 || w.dims[0] != 1 {
			return l, fmt.Errorf("LSTM weight %q has shape %v, want one direction", w.name, w.dims)
		}
		if mats[i], err = t.dequantizeTensor(w); err != nil {
			return l, err
		}
		rows, cols := int(w.dims[1]), int(w.dims[2])
		if n.op == "DynamicQuantizeLSTM" {
			mats[i], rows, cols = transposeMatrix(mats[i], rows, cols), cols, rows
		}
		l.hidden, l.inputs = rows/4, max(l.inputs*(1-i), cols*(1-i)+l.inputs*i)
	}
	l.w, l.r = mats[0], mats[1]
	return l, l.addBias(t, n.in[3])
}

// addBias sums the two biases that ONNX stores separately.
func (l *lstmLayer) addBias(t *graphTracer, name string) error {
	b, err := t.traceNumbers(name)
	if err != nil {
		return err
	}
	g := 4 * l.hidden
	if len(b) != 2*g || len(l.r) != g*l.hidden || len(l.w) != g*l.inputs {
		return fmt.Errorf("LSTM sizes disagree: %d biases, %d hidden", len(b), l.hidden)
	}
	l.b = make([]float32, g)
	for i := range l.b {
		l.b[i] = b[i] + b[g+i]
	}
	return nil
}

// allocateTable checks the embedding and allocates the table of its labels.
func (p *predictionWeights) allocateTable(embedding graphTensor) error {
	first := &p.layers[0]
	rows, cols := int(embedding.dims[0]), int(embedding.dims[1])
	if cols != first.inputs {
		return fmt.Errorf("the embedding has %d values per label, the LSTM takes %d", cols, first.inputs)
	}
	p.table, p.embedding = make([]float32, rows*4*first.hidden), embedding.floats
	return nil
}

// fillTable folds the embedding, the first layer's input weights and its bias into one row per label. Nothing but
// decoding needs it, so it is computed while ONNX Runtime loads the encoder.
func (p *predictionWeights) fillTable() {
	first := &p.layers[0]
	g := 4 * first.hidden
	kernel.MatVecBatch(p.table, first.w, p.embedding, first.b, len(p.table)/g, g, first.inputs)
	first.w, p.embedding = nil, nil
}

func (p *predictionWeights) checkShapes() error {
	last := p.layers[len(p.layers)-1]
	g := 4 * p.layers[0].hidden
	switch {
	case p.enc.w == nil || p.pred.w == nil:
		return errors.New("the joint does not add an encoder and a prediction projection")
	case p.enc.out != p.pred.out || p.pred.out != p.out.in:
		return fmt.Errorf("joint widths disagree: %d, %d, %d", p.enc.out, p.pred.out, p.out.in)
	case p.pred.in != last.hidden:
		return fmt.Errorf("the joint takes %d values, the prediction network returns %d", p.pred.in, last.hidden)
	case len(p.table) > p.labels*g:
		return fmt.Errorf("the embedding has %d labels, the joint %d", len(p.table)/g, p.labels)
	}
	return nil
}

const (
	// sharedFrom is the number of parameters from which one run uses several threads: the operators of a smaller encoder
	// finish before a second thread wakes up.
	sharedFrom = 32_000_000
	// threadsPerRun is the number of threads that one run of a large encoder can use.
	threadsPerRun = 4
)

// shareThreads divides the threads among runs of the encoder. A small model has one thread per run. The runs of a large
// one use all threads; two at least are executed at once, since a run leaves its threads idle between operators.
//
// Threads never spin while they wait for work. With 114 M parameters, two threads and 8 clips of 10 s at once, measured
// on a two-core machine under load (medians of three rounds in turns; processor time, which depends little on the load,
// and elapsed time, which depends on it):
//
//	                            one clip: processor, elapsed   8 clips: processor, elapsed
//	one run, spinning threads                0.67 s   2.1 s                5.2 s    12.2 s
//	two runs on two threads                  0.41 s   0.5 s                3.1 s     3.8 s
//	a run a thread                           0.35 s   0.7 s                2.9 s     3.8 s
func (m *SpeechModel) shareThreads(threads int) ort.SessionOptions {
	threads = max(threads, 1)
	if m.Parameters < sharedFrom || threads == 1 {
		m.Runs, m.Parallel = threads, threads
		return ort.SessionOptions{Threads: 1}
	}
	m.Runs, m.Parallel = max(2, threads/threadsPerRun), max(1, threads/threadsPerRun)
	return ort.SessionOptions{Threads: threads}
}

// MappedMark is the name of a file in a model's folder by which its weights stay memory-mapped, with only a part in
// memory at a time. The encoder then takes 1.5 times as long: it is for testing a model on a machine with little
// memory.
const MappedMark = "munadi-mapped"

// dropEvery is the interval at which mapped pages are dropped: at 3 MiB read per millisecond, about 30 MiB stay in
// memory.
const dropEvery = 10 * time.Millisecond

// pageDropper periodically drops the pages of a mapped file (madvise), so that a run of the encoder holds only a part
// of its weights in memory. They are read again from the file, which the page cache holds.
type pageDropper struct{ stop, done chan struct{} }

// startDropping starts dropping the pages of this process's mappings of the file at path.
func startDropping(path string) *pageDropper {
	d := &pageDropper{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(d.done)
		tick := time.NewTicker(dropEvery)
		defer tick.Stop()
		for {
			select {
			case <-d.stop:
				return
			case <-tick.C:
				dropMapped(path)
			}
		}
	}()
	return d
}

// stopDropping stops and waits for the goroutine. It must be called before the file is unmapped, since the addresses
// may be reused.
func (d *pageDropper) stopDropping() {
	close(d.stop)
	<-d.done
}

// dropMapped drops the pages of every read-only or unchanged private mapping of the file. It is best effort: without
// /proc it does nothing.
func dropMapped(path string) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		line := lines.Text()
		if !strings.HasSuffix(line, " "+path) {
			continue
		}
		bounds, _, _ := strings.Cut(line, " ")
		low, high, _ := strings.Cut(bounds, "-")
		from, err := strconv.ParseUint(low, 16, 64)
		to, err2 := strconv.ParseUint(high, 16, 64)
		if err == nil && err2 == nil {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(from), uintptr(to-from), unix.MADV_DONTNEED)
		}
	}
}
