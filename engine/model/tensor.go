package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Element types of TensorProto.
const (
	typeFloat = 1
	typeUint8 = 2
	typeInt8  = 3
	typeInt32 = 6
	typeInt64 = 7
	typeBool  = 9
)

// elementBytes are the sizes in bytes of the element types of weights.
var elementBytes = map[int]int64{typeFloat: 4, typeUint8: 1, typeInt8: 1}

// graphTensor is a TensorProto whose data references the bytes it was parsed from.
type graphTensor struct {
	name     string
	dims     []int64
	typ      int
	raw      []byte
	at       int       // offset of raw in the file, of external data in its own; −1: not a number
	floats   []float32 // float_data, when raw is absent
	ints     []int64   // int32_data or int64_data, when raw is absent
	external bool
}

func parseTensor(whole protoField) (graphTensor, error) {
	var t graphTensor
	err := eachField(whole.bytes, whole.off, func(f protoField) error {
		switch f.num {
		case tensorDims:
			return t.parseDim(f)
		case tensorDataType:
			t.typ = int(f.varint)
		case tensorName:
			t.name = string(f.bytes)
		case tensorRaw:
			t.raw, t.at = f.bytes, f.off
		case tensorFloatData:
			return t.floatData(f)
		case tensorInt32Data, tensorInt64Data:
			return appendVarints(f, &t.ints)
		case tensorExternal:
			t.external = true
			return t.parsePlace(f)
		}
		return nil
	})
	if err == nil && t.elementCount() < 0 {
		err = errProto
	}
	return t, err
}

// parsePlace reads one entry of external data's place: its offset counts.
func (t *graphTensor) parsePlace(f protoField) error {
	key, value, err := parseEntry(f.bytes)
	if err != nil || key != "offset" {
		return err
	}
	if t.at, err = strconv.Atoi(value); err != nil {
		t.at = -1
	}
	return nil
}

func (t *graphTensor) parseDim(f protoField) error {
	return appendVarints(f, &t.dims)
}

// appendVarints appends a repeated integer field, packed or not.
func appendVarints(f protoField, dst *[]int64) error {
	if f.bytes == nil {
		*dst = append(*dst, int64(f.varint))
		return nil
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return errProto
		}
		*dst = append(*dst, int64(v))
		b = b[n:]
	}
	return nil
}

func (t *graphTensor) floatData(f protoField) error {
	if f.bytes == nil {
		t.floats = append(t.floats, math.Float32frombits(f.fixed32))
		return nil
	}
	if len(f.bytes)%4 != 0 {
		return errProto
	}
	for i := 0; i < len(f.bytes); i += 4 {
		t.floats = append(t.floats, math.Float32frombits(binary.LittleEndian.Uint32(f.bytes[i:])))
	}
	return nil
}

// elementCount returns the product of the dimensions, or −1 if one is negative or the product exceeds 64·2³¹.
func (t graphTensor) elementCount() int64 {
	n := int64(1)
	for _, d := range t.dims {
		if d < 0 || (d > 0 && n > math.MaxInt32*64/d) {
			return -1
		}
		n *= d
	}
	return n
}

// toFloat32s returns the tensor's data as float32; 8-bit and integer tensors are converted number by number.
func (t graphTensor) toFloat32s() ([]float32, error) {
	n := int(t.elementCount())
	switch {
	case t.external:
		return nil, fmt.Errorf("weight %q is external data, which is supported for the encoder only", t.name)
	case t.typ == typeFloat && len(t.floats) == n && len(t.raw) == 0:
		return t.floats, nil
	case t.typ == typeFloat && len(t.raw) == 4*n:
		out := make([]float32, n)
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
		}
		return out, nil
	case (t.typ == typeInt8 || t.typ == typeUint8) && len(t.raw) == n:
		return bytesToFloat(t.raw, t.typ == typeInt8), nil
	case (t.typ == typeInt8 || t.typ == typeUint8 || t.typ == typeInt32) && len(t.ints) == n:
		out := make([]float32, n)
		for i, v := range t.ints {
			out[i] = float32(v)
		}
		return out, nil
	}
	return nil, fmt.Errorf("weight %q has data of an unexpected type or size (type %d, %d elements)", t.name, t.typ, n)
}

// toInt64s returns the numbers of an int64 tensor; nil for other types.
func (t graphTensor) toInt64s() []int64 {
	n := int(t.elementCount())
	switch {
	case t.typ == typeInt64 && len(t.raw) == 8*n:
		out := make([]int64, n)
		for i := range out {
			out[i] = int64(binary.LittleEndian.Uint64(t.raw[8*i:]))
		}
		return out
	case t.typ == typeInt64 && len(t.ints) == n:
		return t.ints
	}
	return nil
}

func bytesToFloat(raw []byte, signed bool) []float32 {
	out := make([]float32, len(raw))
	for i, b := range raw {
		if signed {
			out[i] = float32(int8(b))
		} else {
			out[i] = float32(b)
		}
	}
	return out
}

// fingerprintEnds returns the size, the first and the last 256 bytes of the raw data, which identify trained weights.
func (t graphTensor) fingerprintEnds() string {
	n := min(len(t.raw), 256)
	return fmt.Sprintf("%d:%s%s", len(t.raw), t.raw[:n], t.raw[len(t.raw)-n:])
}

// transposeMatrix transposes a [rows, cols] matrix to [cols, rows].
func transposeMatrix(m []float32, rows, cols int) []float32 {
	out := make([]float32, len(m))
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = m[r*cols+c]
		}
	}
	return out
}
