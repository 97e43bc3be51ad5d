package model

import (
	"bufio"
	"encoding/binary"
	"errors"
	"math"
	"os"
)

// weightWriter appends weights to the file of a graph's external data (ONNX).
type weightWriter struct {
	file *os.File
	out  *bufio.Writer
	at   int
	err  error
}

func newWeightWriter(path string) (*weightWriter, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &weightWriter{file: file, out: bufio.NewWriterSize(file, 1<<20)}, nil
}

// alignment of weights in the file, in bytes: a cache line.
const alignment = 64

// putTensor appends a tensor's bytes and returns the tensor with its offset. Small ones are not written and keep their
// bytes, which are stored in the graph.
func (w *weightWriter) putTensor(typ int, raw []byte, dims ...int64) graphTensor {
	if len(raw) <= externalFrom {
		return graphTensor{typ: typ, dims: dims, raw: raw}
	}
	if pad := -w.at & (alignment - 1); pad > 0 {
		w.writeBytes(make([]byte, pad))
	}
	t := graphTensor{typ: typ, dims: dims, at: w.at}
	w.writeBytes(raw)
	return t
}

// putFloats appends float32 numbers.
func (w *weightWriter) putFloats(v []float32, dims ...int64) graphTensor {
	raw := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(x))
	}
	return w.putTensor(typeFloat, raw, dims...)
}

func (w *weightWriter) writeBytes(b []byte) {
	n, err := w.out.Write(b)
	w.at += n
	w.err = errors.Join(w.err, err)
}

// Close writes the remaining buffer.
func (w *weightWriter) Close() error {
	return errors.Join(w.err, w.out.Flush(), w.file.Sync(), w.file.Close())
}

// putAffine appends the matrix [in, out] of a product, quantized to 8 bits if int8 is set.
func (w *weightWriter) putAffine(v, bias []float32, in, out int64, int8 bool) affineMap {
	if !int8 {
		return affineMap{w: w.putFloats(v, in, out), b: bias}
	}
	raw, scale := quantizeMatrix(v, int(in), int(out), largestWeight)
	return affineMap{w: w.putTensor(typeInt8, raw, in, out), b: bias, scale: scale, zero: make([]byte, out)}
}
