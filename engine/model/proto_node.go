package model

import (
	"fmt"
)

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
