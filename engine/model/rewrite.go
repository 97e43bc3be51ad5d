package model

import (
	"encoding/binary"
	"fmt"
)

// conformerEncoder is a FastConformer encoder as read from a graph.
type conformerEncoder struct {
	subsampling convSubsampling
	positions   positionTable
	layers      []conformerLayer
	context     attentionContext
	project     *affineMap    // of the last layer's output; nil: none
	caches      *cacheForm    // nil: it encodes whole utterances only
	prompt      *promptKernel // of the last layer's or the projection's output; nil: none
	result      string        // the value that it computes, [1, T', D]
}

// conformerLayer is a Conformer layer: feed-forward, attention, convolution and feed-forward modules, each with
// normalized input and a residual connection, and a final normalization.
type conformerLayer struct {
	before feedForward
	attend relativeAttention
	local  convolutionModule
	after  feedForward
	norm   layerNorm
}

// coreReplacement is a new core of a graph, as serialized nodes and initializers, and the parts of the old graph to
// keep.
type coreReplacement struct {
	fields []byte          // of a GraphProto
	result string          // the old value that fields computes
	live   map[string]bool // old values that are still needed
}

// replaceCore recognizes the encoder's core and rewrites it in fewer operators; nil if the graph is not recognized.
// Weights are referenced in file, or embedded when it is empty; tables is the size limit of precomputed tables in
// bytes. See the package comment.
func replaceCore(g *onnxGraph, file string, tables int64) *coreReplacement {
	r := newReader(g)
	c := r.readConformer()
	if r.failed {
		return nil
	}
	e := graphEmitter{file: file, tables: tables, bytes: map[string][]string{}}
	e.emitConformer(c)
	return &coreReplacement{fields: e.fields, result: c.result, live: r.neededValues(c.result)}
}

// readConformer follows the graph from its last normalization to its input.
func (r *graphReader) readConformer() conformerEncoder {
	c := conformerEncoder{}
	norms := r.findNodes("LayerNormalization")
	if len(norms) == 0 || r.hasSubgraphs() {
		r.failed = true
		return c
	}
	c.result = singleOutput(norms[len(norms)-1])
	name := c.result
	for !r.failed && r.isOp(name, "LayerNormalization") {
		r.expectTrue(len(c.layers) < len(r.nodes)) // the graph of an invalid file may have a cycle
		var l conformerLayer
		l, name = r.readLayer(name, &c.positions)
		c.layers = append([]conformerLayer{l}, c.layers...)
	}
	c.subsampling = r.readSubsampling(name)
	return c
}

func (r *graphReader) readLayer(name string, p *positionTable) (conformerLayer, string) {
	l := conformerLayer{}
	l.norm, name = r.readNorm(name)
	l.after, name = r.feedForward(name)
	l.local, name = r.readConvolution(name)
	l.attend, name = r.readAttention(name, p)
	l.before, name = r.feedForward(name)
	return l, name
}

func (e *graphEmitter) emitConformer(c conformerEncoder) {
	x, at := e.emitPlaces(c, e.emitSubsampling(c.subsampling))
	for _, l := range c.layers {
		x = e.feedForward(l.before, x)
		x = e.emitAttention(l.attend, x, at)
		x = e.emitConvolution(l.local, x, at)
		x = e.feedForward(l.after, x)
		x = e.emitNorm(l.norm, x)
	}
	if c.project != nil {
		x = e.emitAffine(*c.project, x, 1)
	}
	if c.prompt != nil {
		x = e.emitPrompt(c.prompt, x)
	}
	e.fields = appendNode(e.fields, "Unsqueeze", []string{x, e.emitIntegers(0)}, c.result)
	if at.past != nil {
		e.emitCacheOutputs(at.past, at.frames)
	}
}

// emitPlaces returns the frames that the layers process, and their position table with the attention mask.
func (e *graphEmitter) emitPlaces(c conformerEncoder, x string) (string, placedTable) {
	var past *placedCaches
	if c.caches != nil {
		x, past = e.emitCaches(c.caches, x)
	}
	e.nameShape(x, dimFrames, c.subsampling.out.w.dims[1])
	frames := e.emitOp("Shape", []string{x}, intAttribute("start", 0), intAttribute("end", 1))
	if past == nil {
		at := e.emitPositions(c.positions, len(c.layers), frames)
		if at.penalty = e.emitPenalty(c.context, frames); at.penalty != "" {
			e.nameShape(at.penalty, dimFrames, dimFrames)
		}
		return x, at
	}
	total := e.emitOp("Add", []string{past.size, frames})
	at := e.emitNearby(c.positions, c.caches, frames, total)
	at.penalty, at.past = e.nameShape(e.emitReach(past, total), dimFrames, dimTotal), past
	return x, at
}

// Names of dimensions that vary, see nameShape.
const (
	dimFrames = "munadi.frames" // T
	dimTotal  = "munadi.total"  // C+T, with cached frames
	dimSpan   = "munadi.span"   // C+2T: the distances of frames from each other
	dimHalf   = "munadi.half"   // T+1: the distances in one direction
)

// nameShape declares the shape of a value and returns the value. A dimension is a number, or the name of one that
// varies: those of one name are equal. ONNX Runtime infers no names after convolutions, slices and reshapes; without
// them it compares each value with all earlier ones in vain to find a buffer of its size, which takes a quarter of the
// time in which a large encoder is loaded.
func (e *graphEmitter) nameShape(x string, dims ...any) string {
	e.fields = appendValue(e.fields, graphValueInfo, x, typeFloat, dims...)
	return x
}

// emittedFields returns the replacement's fields; nil for a nil replacement.
func (p *coreReplacement) emittedFields() []byte {
	if p == nil {
		return nil
	}
	return p.fields
}

// replacesField reports whether the field f of the old graph is dropped: an operator or weight that is no longer used,
// or an annotation of a value, which may be removed.
func (p *coreReplacement) replacesField(f protoField) (bool, error) {
	if p == nil {
		return false, nil
	}
	switch f.num {
	case graphNode:
		n, err := parseNode(f)
		for _, out := range n.out {
			if p.live[out] && out != p.result {
				return false, err
			}
		}
		return true, err
	case graphInitializer:
		name, err := stringField(f.bytes, tensorName)
		return !p.live[name], err
	}
	return f.num == graphValueInfo, nil
}

// graphEmitter writes the fields of a GraphProto: nodes, and the initializers that they use. Values are named by a
// counter.
type graphEmitter struct {
	fields []byte
	file   string              // file of the weights (external data); empty: they are embedded
	tables int64               // size limit of precomputed tables, in bytes
	bytes  map[string][]string // quantized values, see emitQuantized
	names  int
}

func (e *graphEmitter) newName() string {
	e.names++
	return fmt.Sprintf("munadi.core.%d", e.names)
}

// emitOp appends an operator of one output and returns that output's name.
func (e *graphEmitter) emitOp(op string, in []string, attrs ...[]byte) string {
	out := e.newName()
	e.fields = appendNode(e.fields, op, in, out, attrs...)
	return out
}

// emitNode appends an operator with the given outputs.
func (e *graphEmitter) emitNode(op string, in, out []string, attrs ...[]byte) {
	e.fields = appendMessage(e.fields, graphNode, marshalNode(op, in, out, attrs...))
}

// emitScalar returns a constant without dimensions.
func (e *graphEmitter) emitScalar(value int64) string {
	return e.emitSmallTensor(graphTensor{typ: typeInt64, raw: binary.LittleEndian.AppendUint64(nil, uint64(value))})
}

// emitIntegers returns a constant vector.
func (e *graphEmitter) emitIntegers(values ...int64) string {
	t := graphTensor{typ: typeInt64, dims: []int64{int64(len(values))}}
	for _, v := range values {
		t.raw = binary.LittleEndian.AppendUint64(t.raw, uint64(v))
	}
	return e.emitSmallTensor(t)
}

// emitFloats returns a constant vector.
func (e *graphEmitter) emitFloats(v []float32) string { return e.emitMatrix(v, int64(len(v))) }

func (e *graphEmitter) emitMatrix(v []float32, dims ...int64) string {
	name := e.newName()
	e.fields = appendTensor(e.fields, name, dims, v)
	return name
}

// emitSmallTensor returns a small new tensor, embedded in the graph.
func (e *graphEmitter) emitSmallTensor(t graphTensor) string {
	name := e.newName()
	t.raw = appendMessage(tensorHeader(name, int64(t.typ), t.dims...), tensorRaw, t.raw)
	e.fields = appendMessage(e.fields, graphInitializer, t.raw)
	return name
}

// emitWeight returns a weight of the file.
func (e *graphEmitter) emitWeight(t graphTensor) string { return e.emitWeightPart(t, 0, t.dims...) }

// emitWeightPart returns the part of a weight that begins at element from, with shape dims.
func (e *graphEmitter) emitWeightPart(t graphTensor, from int64, dims ...int64) string {
	name := e.newName()
	size := elementBytes[t.typ]
	from, length := from*size, graphTensor{dims: dims}.elementCount()*size
	p := tensorHeader(name, int64(t.typ), dims...)
	if e.file != "" && (length > externalFrom || t.raw == nil) {
		p = appendPlace(p, e.file, t.at+int(from), int(length))
	} else {
		p = appendMessage(p, tensorRaw, t.raw[from:from+length])
	}
	e.fields = appendMessage(e.fields, graphInitializer, p)
	return name
}

// tensorHeader begins a TensorProto.
func tensorHeader(name string, typ int64, dims ...int64) []byte {
	var t []byte
	for _, d := range dims {
		t = appendInt(t, tensorDims, d)
	}
	return appendString(appendInt(t, tensorDataType, typ), tensorName, name)
}
