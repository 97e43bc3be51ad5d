package model

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of onnx.proto (ONNX IR 8).
const (
	modelVersion  = 1
	modelProducer = 2
	modelGraph    = 7
	modelOpset    = 8
	modelMetadata = 14

	opsetVersion = 2

	graphNode        = 1
	graphName        = 2
	graphInitializer = 5
	graphInput       = 11
	graphOutput      = 12
	graphValueInfo   = 13

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOpType    = 4
	nodeAttribute = 5
	nodeDomain    = 7

	attrName   = 1
	attrFloat  = 2
	attrInt    = 3
	attrString = 4
	attrTensor = 5
	attrGraph  = 6
	attrInts   = 8
	attrGraphs = 11
	attrType   = 20

	tensorDims         = 1
	tensorDataType     = 2
	tensorFloatData    = 4
	tensorInt32Data    = 5
	tensorInt64Data    = 7
	tensorName         = 8
	tensorRaw          = 9
	tensorExternal     = 13
	tensorDataLocation = 14

	entryKey   = 1
	entryValue = 2

	valueName = 1
	valueType = 2
)

var errProto = errors.New("not an ONNX file (its protobuf encoding is invalid)")

// protoField is one field of a message; off is where its payload begins in the file.
type protoField struct {
	num     protowire.Number
	bytes   []byte // payload of a length-delimited field
	varint  uint64 // value of a varint field
	raw     []byte // the whole field, tag included
	off     int
	fixed32 uint32
}

// eachField calls f for each field of the message b, which begins at offset base of its file.
func eachField(b []byte, base int, f func(protoField) error) error {
	for pos := 0; pos < len(b); {
		num, typ, n := protowire.ConsumeTag(b[pos:])
		if n < 0 {
			return errProto
		}
		fd := protoField{num: num}
		m, err := fd.consumeValue(typ, b[pos+n:])
		if err != nil {
			return err
		}
		fd.raw = b[pos : pos+n+m]
		fd.off = base + pos + n + m - len(fd.bytes)
		pos += n + m
		if err := f(fd); err != nil {
			return err
		}
	}
	return nil
}

func (f *protoField) consumeValue(typ protowire.Type, b []byte) (n int, err error) {
	switch typ {
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(b)
	case protowire.VarintType:
		f.varint, n = protowire.ConsumeVarint(b)
	case protowire.Fixed32Type:
		f.fixed32, n = protowire.ConsumeFixed32(b)
	default:
		n = protowire.ConsumeFieldValue(f.num, typ, b)
	}
	if n < 0 {
		return 0, errProto
	}
	return n, nil
}

// onnxGraph is the part of a ModelProto that tracing and checking need: operators, initializers by name, inputs,
// outputs, metadata.
type onnxGraph struct {
	nodes   []operatorNode
	tensors map[string]graphTensor
	inputs  []string
	shapes  map[string][]int64 // of inputs; 0: dynamic
	outputs []string
	meta    map[string]string
	params  int64 // elements of all initializers
}

// parseGraph reads an ONNX file without copying its weights.
func parseGraph(b []byte) (*onnxGraph, error) {
	g := &onnxGraph{tensors: map[string]graphTensor{}, meta: map[string]string{}, shapes: map[string][]int64{}}
	err := eachField(b, 0, func(f protoField) error {
		switch f.num {
		case modelGraph:
			return g.parseGraph(f)
		case modelMetadata:
			k, v, err := parseEntry(f.bytes)
			g.meta[k] = v
			return err
		}
		return nil
	})
	if err == nil && len(g.nodes) == 0 {
		err = errors.New("not an ONNX file (it has no graph)")
	}
	return g, err
}

func (g *onnxGraph) parseGraph(whole protoField) error {
	return eachField(whole.bytes, whole.off, func(f protoField) error {
		switch f.num {
		case graphNode:
			n, err := parseNode(f)
			g.nodes = append(g.nodes, n)
			return err
		case graphInitializer:
			t, err := parseTensor(f)
			g.tensors[t.name] = t
			g.params += t.elementCount()
			return err
		case graphInput, graphOutput:
			name, err := stringField(f.bytes, valueName)
			if err != nil || f.num == graphOutput {
				g.outputs = append(g.outputs, name)
				return err
			}
			g.inputs = append(g.inputs, name)
			g.shapes[name], err = parseShape(f.bytes)
			return err
		}
		return nil
	})
}

// parseShape returns the shape in a ValueInfoProto, with 0 for dynamic sizes.
func parseShape(b []byte) (dims []int64, err error) {
	const tensorType, shape, dim, number = 1, 2, 1, 1
	err = eachIn(b, []protowire.Number{valueType, tensorType, shape, dim}, func(d []byte) error {
		size := int64(0)
		err := eachField(d, 0, func(f protoField) error {
			if f.num == number {
				size = int64(f.varint)
			}
			return nil
		})
		dims = append(dims, size)
		return err
	})
	return dims, err
}

// eachIn calls f for each message at the given path of fields.
func eachIn(b []byte, path []protowire.Number, f func([]byte) error) error {
	if len(path) == 0 {
		return f(b)
	}
	return eachField(b, 0, func(field protoField) error {
		if field.num != path[0] {
			return nil
		}
		return eachIn(field.bytes, path[1:], f)
	})
}

func parseEntry(b []byte) (key, value string, err error) {
	if key, err = stringField(b, entryKey); err != nil {
		return "", "", err
	}
	value, err = stringField(b, entryValue)
	return key, value, err
}

func stringField(b []byte, num protowire.Number) (s string, err error) {
	err = eachField(b, 0, func(f protoField) error {
		if f.num == num {
			s = string(f.bytes)
		}
		return nil
	})
	return s, err
}

// hasInput reports whether the graph lists an input of that name.
func (g *onnxGraph) hasInput(input string) bool {
	for _, in := range g.inputs {
		if in == input {
			return true
		}
	}
	return false
}

// collectConstants adds the graph's Constant nodes to its tensors, so that tracing finds weights in either form.
func (g *onnxGraph) collectConstants() {
	for _, n := range g.nodes {
		if n.op == "Constant" && n.tensor != nil && len(n.out) == 1 {
			g.tensors[n.out[0]] = *n.tensor
		}
	}
}

func (g *onnxGraph) findTensor(name string) (graphTensor, error) {
	t, ok := g.tensors[name]
	if !ok {
		return graphTensor{}, fmt.Errorf("the graph has no weight %q", name)
	}
	return t, nil
}

// operatorNode is an operator with those of its attributes that tracing needs: integers, lists of them and a tensor.
type operatorNode struct {
	op      string
	in, out []string
	ints    map[string]int64
	lists   map[string][]int64
	tensor  *graphTensor
	nested  bool   // has a subgraph
	raw     []byte // the whole NodeProto
}

// leastInputs are the numbers of inputs that ONNX requires of the operators that tracing follows.
var leastInputs = map[string]int{
	"Add": 2, "Cast": 1, "Conv": 2, "ConvInteger": 2, "DequantizeLinear": 2, "DynamicQuantizeLinear": 1,
	"DynamicQuantizeLSTM": 3, "Gather": 2, "Gemm": 2, "Identity": 1, "LogSoftmax": 1, "LSTM": 3, "MatMul": 2,
	"MatMulInteger": 2, "Mul": 2, "Relu": 1, "Reshape": 2, "Sigmoid": 1, "Squeeze": 1, "Tanh": 1, "Transpose": 1,
	"Unsqueeze": 1,
}

func parseNode(whole protoField) (operatorNode, error) {
	n := operatorNode{ints: map[string]int64{}, lists: map[string][]int64{}, raw: whole.bytes}
	err := n.parseFields(whole)
	if want := leastInputs[n.op]; err == nil && len(n.in) < want {
		err = fmt.Errorf("the operator %s has %d inputs, want at least %d", n.op, len(n.in), want)
	}
	return n, err
}

func (n *operatorNode) parseFields(whole protoField) error {
	return eachField(whole.bytes, whole.off, func(f protoField) error {
		switch f.num {
		case nodeInput:
			n.in = append(n.in, string(f.bytes))
		case nodeOutput:
			n.out = append(n.out, string(f.bytes))
		case nodeOpType:
			n.op = string(f.bytes)
		case nodeAttribute:
			return n.parseAttribute(f)
		}
		return nil
	})
}

func (n *operatorNode) parseAttribute(whole protoField) error {
	var name string
	var value int64
	var list []int64
	err := eachField(whole.bytes, whole.off, func(f protoField) error {
		switch f.num {
		case attrName:
			name = string(f.bytes)
		case attrInt:
			value = int64(f.varint)
		case attrInts:
			return appendVarints(f, &list)
		case attrGraph, attrGraphs:
			n.nested = true
		case attrTensor:
			t, err := parseTensor(f)
			n.tensor = &t
			return err
		}
		return nil
	})
	n.ints[name] = value
	if list != nil {
		n.lists[name] = list
	}
	return err
}

// marshalAttributes returns the node's serialized AttributeProtos.
func (n *operatorNode) marshalAttributes() [][]byte {
	var attrs [][]byte
	_ = eachField(n.raw, 0, func(f protoField) error { // parseNode has validated them
		if f.num == nodeAttribute {
			attrs = append(attrs, f.bytes)
		}
		return nil
	})
	return attrs
}
