package model

import (
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// externalFrom is the size in bytes from which an initializer becomes external data instead of being copied.
const externalFrom = 1024

// graftHeads returns the serialized encoder with the joint's projection and the CTC head appended as nodes and
// outputs, and with its core replaced if a replacement is given. If file is not empty, the encoder's large
// initializers are replaced by references into that file.
func graftHeads(encoder []byte, file string, core *coreReplacement, heads []linearHead) ([]byte, error) {
	var out []byte
	err := eachField(encoder, 0, func(f protoField) error {
		if f.num != modelGraph {
			out = append(out, f.raw...)
			return nil
		}
		g, err := slimGraph(f, file, core)
		if err != nil {
			return err
		}
		for _, h := range heads {
			g = h.appendTo(g)
		}
		out = protowire.AppendTag(out, modelGraph, protowire.BytesType)
		out = protowire.AppendBytes(out, g)
		return nil
	})
	return out, err
}

// slimGraph copies a GraphProto, with references in place of large initializers and, unless nil, core in place of the
// nodes that it replaces.
func slimGraph(graph protoField, file string, core *coreReplacement) ([]byte, error) {
	out := core.emittedFields()
	err := eachField(graph.bytes, graph.off, func(f protoField) error {
		if dead, err := core.replacesField(f); dead || err != nil {
			return err
		}
		if f.num == graphInitializer && file != "" && len(f.bytes) > externalFrom {
			t, err := externalReference(f, file)
			if err != nil {
				return err
			}
			if t != nil {
				out = protowire.AppendTag(out, graphInitializer, protowire.BytesType)
				out = protowire.AppendBytes(out, t)
				return nil
			}
		}
		out = append(out, f.raw...)
		return nil
	})
	return out, err
}

// externalReference returns the TensorProto with a reference to its raw data in file (ONNX external data) instead of
// the data; nil if it has no raw data.
func externalReference(f protoField, file string) ([]byte, error) {
	var out []byte
	offset, length := -1, 0
	err := eachField(f.bytes, f.off, func(t protoField) error {
		if t.num == tensorRaw {
			offset, length = t.off, len(t.bytes)
			return nil
		}
		out = append(out, t.raw...)
		return nil
	})
	if offset < 0 || err != nil {
		return nil, err
	}
	return appendPlace(out, file, offset, length), nil
}

// appendPlace appends the location of the raw data to a TensorProto.
func appendPlace(t []byte, file string, offset, length int) []byte {
	for _, e := range [][2]string{
		{"location", file}, {"offset", strconv.Itoa(offset)}, {"length", strconv.Itoa(length)},
	} {
		t = appendMessage(t, tensorExternal, appendString(appendString(nil, entryKey, e[0]), entryValue, e[1]))
	}
	return appendInt(t, tensorDataLocation, 1)
}

// linearHead is a linear layer over the encoder's frames that becomes an output of the encoder's graph.
type linearHead struct {
	linearLayer
	input      string // the encoder's output, [B, D, T]
	output     string // the new output, [B, T, out]
	logSoftmax bool
}

// appendTo adds the head's initializers, nodes and output to a GraphProto.
func (h linearHead) appendTo(g []byte) []byte {
	w, b := h.output+".weight", h.output+".bias"
	g = appendTensor(g, w, []int64{int64(h.in), int64(h.out)}, h.w)
	g = appendTensor(g, b, []int64{int64(h.out)}, h.b)
	turned, product, sum := h.output+".turned", h.output+".product", h.output
	if h.logSoftmax {
		sum = h.output + ".logits"
	}
	g = appendNode(g, "Transpose", []string{h.input}, turned, intsAttribute("perm", 0, 2, 1))
	g = appendNode(g, "MatMul", []string{turned, w}, product)
	g = appendNode(g, "Add", []string{product, b}, sum)
	if h.logSoftmax {
		g = appendNode(g, "LogSoftmax", []string{sum}, h.output, intAttribute("axis", -1))
	}
	return appendOutput(g, h.output, h.out)
}

func appendString(b []byte, num protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), s)
}

func appendMessage(b []byte, num protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), m)
}

func appendInt(b []byte, num protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), uint64(v))
}

func appendTensor(g []byte, name string, dims []int64, data []float32) []byte {
	raw := make([]byte, 0, 4*len(data))
	for _, v := range data {
		raw = protowire.AppendFixed32(raw, math.Float32bits(v))
	}
	return appendMessage(g, graphInitializer, appendMessage(tensorHeader(name, typeFloat, dims...), tensorRaw, raw))
}

func appendNode(g []byte, op string, in []string, out string, attrs ...[]byte) []byte {
	return appendMessage(g, graphNode, marshalNode(op, in, []string{out}, attrs...))
}

// marshalNode returns a NodeProto.
func marshalNode(op string, in, out []string, attrs ...[]byte) []byte {
	var n []byte
	for _, name := range in {
		n = appendString(n, nodeInput, name)
	}
	for _, name := range out {
		n = appendString(n, nodeOutput, name)
	}
	n = appendString(n, nodeName, fmt.Sprintf("%s/%s", out[0], op))
	n = appendString(n, nodeOpType, op)
	for _, a := range attrs {
		n = appendMessage(n, nodeAttribute, a)
	}
	return n
}

// intsAttribute, intAttribute and floatAttribute return AttributeProtos of types INTS (7), INT (2) and FLOAT (1).
func intsAttribute(name string, values ...int64) []byte {
	a := appendString(nil, attrName, name)
	for _, v := range values {
		a = appendInt(a, attrInts, v)
	}
	return appendInt(a, attrType, 7)
}

func intAttribute(name string, value int64) []byte {
	return appendInt(appendInt(appendString(nil, attrName, name), attrInt, value), attrType, 2)
}

func floatAttribute(name string, value float32) []byte {
	a := protowire.AppendTag(appendString(nil, attrName, name), attrFloat, protowire.Fixed32Type)
	return appendInt(protowire.AppendFixed32(a, math.Float32bits(value)), attrType, 1)
}

// appendOutput declares a float output [batch, frames, width].
func appendOutput(g []byte, name string, width int) []byte {
	return appendValue(g, graphOutput, name, typeFloat, "batch", "frames", width)
}

// appendValue declares an input or output of a graph. A dimension is a number, or the name of a dynamic one.
func appendValue(g []byte, field protowire.Number, name string, typ int64, dims ...any) []byte {
	var shape []byte
	for _, dim := range dims {
		switch d := dim.(type) {
		case int:
			shape = appendMessage(shape, 1, appendInt(nil, 1, int64(d)))
		case int64:
			shape = appendMessage(shape, 1, appendInt(nil, 1, d))
		case string:
			shape = appendMessage(shape, 1, appendString(nil, 2, d))
		}
	}
	tensorType := appendMessage(appendInt(nil, 1, typ), 2, shape)
	v := appendMessage(appendString(nil, valueName, name), valueType, appendMessage(nil, 1, tensorType))
	return appendMessage(g, field, v)
}
