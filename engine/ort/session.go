package ort

import (
	"context"
	"errors"
	"fmt"

	onnx "github.com/yalue/onnxruntime_go"
)

// ModelGraph is a serialized ONNX ModelProto. External data of its initializers is read from files in Dir.
type ModelGraph struct {
	Bytes []byte
	Dir   string
}

// DenseTensor is a dense array with its shape, row-major. Exactly one of F32, I64 and I32 holds the data.
type DenseTensor struct {
	Shape []int64
	F32   []float32
	I64   []int64
	I32   []int32
}

// GraphSession runs one graph with fixed input and output names; safe for concurrent use.
type GraphSession struct {
	s       *onnx.DynamicAdvancedSession
	outputs []string
}

// SessionOptions are the options of a session.
type SessionOptions struct {
	Threads int // intra-op threads, which sleep while they have no work; 0: 1
	// Mapped uses memory-mapped weights instead of packing a copy of them for matrix products: less memory, a fifth
	// slower.
	Mapped bool
	// Profile is the path prefix of a JSON file with the time of every operator, written when the session is closed;
	// empty: none.
	Profile string
}

// NewSession creates a session with the named inputs and outputs.
func NewSession(g ModelGraph, inputs, outputs []string, o SessionOptions) (*GraphSession, error) {
	so, err := sessionOptions(g, o)
	if err != nil {
		return nil, fmt.Errorf("set ONNX Runtime's session options: %w", err)
	}
	defer func() { _ = so.Destroy() }()
	s, err := onnx.NewDynamicAdvancedSessionWithONNXData(g.Bytes, inputs, outputs, so)
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime cannot load the graph: %w", err)
	}
	return &GraphSession{s: s, outputs: outputs}, nil
}

func sessionOptions(g ModelGraph, o SessionOptions) (*onnx.SessionOptions, error) {
	so, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	entries := map[string]string{"session.intra_op.allow_spinning": "0"}
	if o.Mapped {
		entries["session.disable_prepacking"] = "1"
	}
	if g.Dir != "" {
		entries["session.model_external_initializers_file_folder_path"] = g.Dir
	}
	// Input lengths vary: one memory plan per length (memory pattern) took 6 to 22 MiB more with a large model and was no
	// faster.
	err = errors.Join(so.SetMemPattern(false), so.SetIntraOpNumThreads(max(o.Threads, 1)))
	if o.Profile != "" {
		err = errors.Join(err, so.EnableProfiling(o.Profile))
	}
	for k, v := range entries {
		if err == nil {
			err = so.AddSessionConfigEntry(k, v)
		}
	}
	if err != nil {
		_ = so.Destroy()
		return nil, err
	}
	return so, nil
}

// Run executes the graph. A cancelled context terminates it between two operators; the error is then the context's.
// The outputs are Go memory that the caller owns.
func (s *GraphSession) Run(ctx context.Context, in ...DenseTensor) ([]DenseTensor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	values, err := wrapTensors(in)
	defer destroyValues(values)
	if err != nil {
		return nil, err
	}
	outs := make([]onnx.Value, len(s.outputs))
	defer destroyValues(outs)
	if err := s.runSession(ctx, values, outs); err != nil {
		return nil, err
	}
	res := make([]DenseTensor, len(outs))
	for i, v := range outs {
		if res[i], err = unwrapTensor(v); err != nil {
			return nil, fmt.Errorf("output %s: %w", s.outputs[i], err)
		}
	}
	return res, nil
}

func (s *GraphSession) runSession(ctx context.Context, in, out []onnx.Value) error {
	ro, err := onnx.NewRunOptions()
	if err != nil {
		return err
	}
	terminated := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = ro.Terminate()
		close(terminated)
	})
	err = s.s.RunWithOptions(in, out, ro)
	if !stop() {
		<-terminated // the options must not be destroyed during Terminate
	}
	_ = ro.Destroy()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Close frees the session. No Run may be active.
func (s *GraphSession) Close() error { return s.s.Destroy() }

func wrapTensors(in []DenseTensor) ([]onnx.Value, error) {
	values := make([]onnx.Value, len(in))
	for i, t := range in {
		v, err := wrapTensor(t)
		if err != nil {
			return values[:i], err
		}
		values[i] = v
	}
	return values, nil
}

func wrapTensor(t DenseTensor) (onnx.Value, error) {
	shape := onnx.NewShape(t.Shape...)
	switch {
	case t.F32 != nil:
		return onnx.NewTensor(shape, t.F32)
	case t.I64 != nil:
		return onnx.NewTensor(shape, t.I64)
	default:
		return onnx.NewTensor(shape, t.I32)
	}
}

func unwrapTensor(v onnx.Value) (DenseTensor, error) {
	switch t := v.(type) {
	case *onnx.Tensor[float32]:
		return DenseTensor{Shape: t.GetShape(), F32: t.GetData()}, nil
	case *onnx.Tensor[int64]:
		return DenseTensor{Shape: t.GetShape(), I64: t.GetData()}, nil
	case *onnx.Tensor[int32]:
		return DenseTensor{Shape: t.GetShape(), I32: t.GetData()}, nil
	}
	return DenseTensor{}, fmt.Errorf("unexpected element type %T", v)
}

func destroyValues(vs []onnx.Value) {
	for _, v := range vs {
		if v != nil {
			_ = v.Destroy()
		}
	}
}
