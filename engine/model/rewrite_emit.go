package model

import (
	"encoding/binary"
	"fmt"
)

// emitter writes the fields of a GraphProto: nodes, and the initialisers that they use. Names are counted.
type emitter struct {
	fields []byte
	file   string              // weights are referred to in it; empty: they are carried
	tables int64               // bytes that tables may take
	bytes  map[string][]string // quantised values: see quantised
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

// scalar is a constant without dimensions.
func (e *emitter) scalar(value int64) string {
	return e.carried(tensor{typ: typeInt64, raw: binary.LittleEndian.AppendUint64(nil, uint64(value))})
}

// integers is a constant vector.
func (e *emitter) integers(values ...int64) string {
	t := tensor{typ: typeInt64, dims: []int64{int64(len(values))}}
	for _, v := range values {
		t.raw = binary.LittleEndian.AppendUint64(t.raw, uint64(v))
	}
	return e.carried(t)
}

// floats is a constant vector, matrix one of two dimensions.
func (e *emitter) floats(v []float32) string { return e.matrix(v, int64(len(v))) }

func (e *emitter) matrix(v []float32, dims ...int64) string {
	name := e.name()
	e.fields = appendTensor(e.fields, name, dims, v)
	return name
}

// carried is a small tensor that is not one of the file's.
func (e *emitter) carried(t tensor) string {
	name := e.name()
	t.raw = appendMessage(header(name, int64(t.typ), t.dims...), tensorRaw, t.raw)
	e.fields = appendMessage(e.fields, graphInitializer, t.raw)
	return name
}

// whole is a weight of the file as it is.
func (e *emitter) whole(t tensor) string { return e.part(t, 0, t.dims...) }

// part is a stretch of a weight's numbers, from one of them on, in another shape.
func (e *emitter) part(t tensor, from int64, dims ...int64) string {
	name := e.name()
	size := elementBytes[t.typ]
	from, length := from*size, tensor{dims: dims}.elements()*size
	p := header(name, int64(t.typ), dims...)
	if e.file != "" && (length > externalFrom || t.raw == nil) {
		p = appendPlace(p, e.file, t.at+int(from), int(length))
	} else {
		p = appendMessage(p, tensorRaw, t.raw[from:from+length])
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
