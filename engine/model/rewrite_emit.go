package model

import (
	"encoding/binary"
	"fmt"
)

// emitter writes the fields of a GraphProto: nodes, and the initialisers that they use. Names are counted.
type emitter struct {
	fields []byte
	file   string // weights are referred to in it; empty: they are carried
	names  int
}

func (e *emitter) name() string {
	e.names++
	return fmt.Sprintf("munadi.core.%d", e.names)
}

// op appends an operator of one output and returns that output's name.
func (e *emitter) op(op string, in []string, attrs ...[]byte) string {
	out := e.name()
	e.fields = appendNode(e.fields, op, in, out, attrs...)
	return out
}

// integers is a constant vector.
func (e *emitter) integers(values ...int64) string {
	name := e.name()
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	t := appendMessage(header(name, typeInt64, int64(len(values))), tensorRaw, raw)
	e.fields = appendMessage(e.fields, graphInitializer, t)
	return name
}

// floats is a constant vector, matrix one of two dimensions.
func (e *emitter) floats(v []float32) string { return e.matrix(v, int64(len(v))) }

func (e *emitter) matrix(v []float32, dims ...int64) string {
	name := e.name()
	e.fields = appendTensor(e.fields, name, dims, v)
	return name
}

// whole is a weight of the file as it is.
func (e *emitter) whole(t tensor) string { return e.part(t, 0, t.dims...) }

// part is a stretch of a weight's numbers, from one of them on, in another shape.
func (e *emitter) part(t tensor, from int64, dims ...int64) string {
	name := e.name()
	n := tensor{dims: dims}.elements()
	p := header(name, typeFloat, dims...)
	if e.file != "" && 4*n > externalFrom {
		p = appendPlace(p, e.file, t.at+int(4*from), int(4*n))
	} else {
		p = appendMessage(p, tensorRaw, t.raw[4*from:4*(from+n)])
	}
	e.fields = appendMessage(e.fields, graphInitializer, p)
	return name
}

// header begins a TensorProto.
func header(name string, typ int64, dims ...int64) []byte {
	var t []byte
	for _, d := range dims {
		t = appendInt(t, tensorDims, d)
	}
	return appendString(appendInt(t, tensorDataType, typ), tensorName, name)
}
