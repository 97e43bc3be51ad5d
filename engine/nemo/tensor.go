package nemo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// elementType is the type of a storage's numbers, by torch's class name.
type elementType string

// elementSizes are the sizes in bytes of the element types in speech models.
var elementSizes = map[elementType]int64{
	"FloatStorage": 4, "HalfStorage": 2, "BFloat16Storage": 2, "DoubleStorage": 8,
	"LongStorage": 8, "IntStorage": 4, "BoolStorage": 1,
}

// tensorStorage is an array of numbers of which tensors are views. Its data is set after the container has been read.
type tensorStorage struct {
	key    string
	kind   elementType
	length int64 // numbers
	data   io.ReaderAt
}

// StoredTensor is a strided view of a storage. Its numbers are read by ToFloat32s.
type StoredTensor struct {
	Shape   []int64
	stride  []int64
	offset  int64 // of the first number in the storage
	storage *tensorStorage
}

// maxRank is the maximum number of dimensions of a tensor.
const maxRank = 8

// newTensor checks that a view is within its storage and has at most as many elements as the storage.
func newTensor(s *tensorStorage, offset int64, shape, stride []int64) (StoredTensor, error) {
	t := StoredTensor{Shape: shape, stride: stride, offset: offset, storage: s}
	if len(shape) != len(stride) || len(shape) > maxRank || offset < 0 {
		return t, fmt.Errorf("a tensor has shape %v, strides %v and offset %d", shape, stride, offset)
	}
	last, count := offset, int64(1)
	for i, size := range shape {
		if size < 0 || stride[i] < 0 {
			return t, fmt.Errorf("a tensor has shape %v and strides %v", shape, stride)
		}
		if size == 0 {
			return t, errors.New("a tensor is empty")
		}
		if size > s.length/count || stride[i] > 0 && size-1 > (s.length-1-last)/stride[i] {
			return t, fmt.Errorf("a tensor of shape %v, strides %v and offset %d exceeds its storage of %d numbers",
				shape, stride, offset, s.length)
		}
		last += (size - 1) * stride[i]
		count *= size
	}
	if last >= s.length {
		return t, fmt.Errorf("a tensor has offset %d in a storage of %d numbers", offset, s.length)
	}
	return t, nil
}

// Len returns the number of elements.
func (t StoredTensor) Len() int64 {
	n := int64(1)
	for _, size := range t.Shape {
		n *= size
	}
	return n
}

// ToFloat32s reads the numbers in row-major order, converted to float32.
func (t StoredTensor) ToFloat32s() ([]float32, error) {
	span := int64(1)
	for i, size := range t.Shape {
		span += (size - 1) * t.stride[i]
	}
	width := elementSizes[t.storage.kind]
	raw := make([]byte, span*width)
	if _, err := t.storage.data.ReadAt(raw, t.offset*width); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	read := readers[t.storage.kind]
	out := make([]float32, 0, t.Len())
	if t.isContiguous() {
		for at := int64(0); at < span; at++ {
			out = append(out, read(raw[at*width:]))
		}
		return out, nil
	}
	t.visitElements(0, 0, func(at int64) { out = append(out, read(raw[at*width:])) })
	return out, nil
}

// visitElements calls do with the index of each number, row-major, from dimension dim on.
func (t StoredTensor) visitElements(dim int, at int64, do func(int64)) {
	if dim == len(t.Shape) {
		do(at)
		return
	}
	for i := range t.Shape[dim] {
		t.visitElements(dim+1, at+i*t.stride[dim], do)
	}
}

// isContiguous reports whether the numbers are in row-major order without gaps.
func (t StoredTensor) isContiguous() bool {
	step := int64(1)
	for i, v := range slices.Backward(t.Shape) {
		if v > 1 && t.stride[i] != step {
			return false
		}
		step *= v
	}
	return true
}

// readers convert the first bytes of little-endian data to float32.
var readers = map[elementType]func([]byte) float32{
	"FloatStorage":    func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) },
	"HalfStorage":     func(b []byte) float32 { return fromHalf(binary.LittleEndian.Uint16(b)) },
	"BFloat16Storage": func(b []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16) },
	"DoubleStorage":   func(b []byte) float32 { return float32(math.Float64frombits(binary.LittleEndian.Uint64(b))) },
	"LongStorage":     func(b []byte) float32 { return float32(int64(binary.LittleEndian.Uint64(b))) },
	"IntStorage":      func(b []byte) float32 { return float32(int32(binary.LittleEndian.Uint32(b))) },
	"BoolStorage":     func(b []byte) float32 { return float32(b[0]) },
}

// fromHalf converts an IEEE 754 binary16 number.
func fromHalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exponent == 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	case exponent > 0:
		return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
	}
	value := float32(fraction) / (1 << 24) // subnormal, or zero
	return math.Float32frombits(math.Float32bits(value) | sign)
}
