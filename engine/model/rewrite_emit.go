package model

import (
	"encoding/binary"
	"fmt"
)

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
