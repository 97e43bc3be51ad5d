package model

import (
	"encoding/binary"
	"fmt"
	"math"
)

// GraphInterface describes an ONNX file that was not loaded.
type GraphInterface struct {
	Inputs, Outputs []string // weights that are listed as inputs left out
	Parameters      int64    // elements of all weights
}

// ReadInterface reads the interface of an ONNX file. Weights in other files, and weights that are not finite numbers,
// are errors.
func ReadInterface(file []byte) (GraphInterface, error) {
	g, err := parseGraph(file)
	if err != nil {
		return GraphInterface{}, err
	}
	for name, t := range g.tensors {
		if t.external {
			return GraphInterface{}, fmt.Errorf("the weight %q is in another file; want one file with all weights", name)
		}
		if t.typ == typeFloat && !t.isFinite() {
			return GraphInterface{}, fmt.Errorf("the weight %q has a value that is no finite number (NaN or infinity)", name)
		}
	}
	found := GraphInterface{Outputs: g.outputs, Parameters: g.params}
	for _, name := range g.inputs {
		if _, weight := g.tensors[name]; !weight {
			found.Inputs = append(found.Inputs, name)
		}
	}
	return found, nil
}

// isFinite reports whether all elements of a float tensor are finite numbers.
func (t graphTensor) isFinite() bool {
	const exponent = 0x7f80_0000 // all bits set: infinity or NaN
	for at := 0; at+4 <= len(t.raw); at += 4 {
		if binary.LittleEndian.Uint32(t.raw[at:])&exponent == exponent {
			return false
		}
	}
	for _, v := range t.floats {
		if math.Float32bits(v)&exponent == exponent {
			return false
		}
	}
	return true
}
