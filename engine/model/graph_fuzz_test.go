package model

import (
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// FuzzShape reads the description of a graph's input (ValueInfoProto) from any bytes.
func FuzzShape(f *testing.F) {
	f.Add(appendValue(nil, graphInput, tensorChannelCache, typeFloat, "batch", 3, 0, 16)[2:])
	f.Add(appendValue(nil, graphInput, tensorTimeCache, typeFloat, 1<<40, -1, 1<<62)[2:])
	f.Add([]byte{0x12, 0x02, 0x0a, 0xff})
	f.Fuzz(func(t *testing.T, value []byte) {
		dims, err := parseShape(value)
		if err == nil && len(dims) > len(value) {
			t.Errorf("%d sizes out of %d bytes", len(dims), len(value))
		}
	})
}

// FuzzStreamingGraph changes NeMo's cache-aware export in a few places and derives its streaming parameters: an error,
// or caches within bounds.
func FuzzStreamingGraph(f *testing.F) {
	encoder, err := os.ReadFile("testdata/checkpoints/cached/encoder-model.onnx")
	if err != nil {
		f.Fatal(err)
	}
	channel := appendValue(nil, graphInput, tensorChannelCache, typeFloat, "batch", 3, 0, 16)
	f.Add([]byte{}, []byte{})
	f.Add([]byte{0, 77, 0, 3}, channel)
	f.Add([]byte{2, 100, 1, 9, 3, 200, 2, 0}, appendValue(nil, graphInput, tensorTimeCache, typeFloat, 1, 1<<40, 1<<40, 1<<40))
	f.Add([]byte{8, 72, 2, 1, 2, 90, 4, 0, 3, 33, 5, 200}, slices.Concat(channel, channel))
	f.Fuzz(func(t *testing.T, changes, more []byte) {
		// Further fields after the graph's own: protobuf merges the parts of a message.
		whole := slices.Concat(encoder, appendMessage(nil, modelGraph, more))
		g, err := parseGraph(whole)
		if err != nil {
			return
		}
		untouched := len(changes) < 4 && len(more) == 0
		for ; len(changes) >= 4; changes = changes[4:] {
			change(g, changes)
		}
		var m SpeechModel
		_, err = m.readCaches(g)
		switch {
		case err == nil && m.Streaming != nil:
			if err := m.Streaming.checkBounds(); err != nil {
				t.Error(err)
			}
			_, _ = m.SpanFor(0)
		case untouched:
			t.Errorf("NeMo's own export is not read: %v", err)
		}
	})
}

// FuzzGraph reads any bytes as an ONNX file.
func FuzzGraph(f *testing.F) {
	node := marshalNode("Conv", []string{"x"}, []string{"y"}, intsAttribute("pads", 1, 1), floatAttribute("alpha", 1))
	graph := appendMessage(nil, graphNode, node)
	graph = appendTensor(graph, "w", []int64{2}, []float32{1, 2})
	graph = appendValue(graph, graphInput, tensorChannelCache, typeFloat, "batch", 3, 0, 16)
	graph = appendValue(graph, graphInput, tensorTimeCache, typeFloat, "batch", 3, 16, 8)
	graph = appendValue(graph, graphInput, tensorCacheLength, typeFloat, "batch")
	graph = appendOutput(graph, "y", 16)
	f.Add(appendMessage(nil, modelGraph, graph))
	f.Add(protowire.AppendTag(nil, modelGraph, protowire.BytesType))
	f.Add(tailedGraph())
	f.Fuzz(func(_ *testing.T, file []byte) {
		_, _, _ = SplitTail(file)
		g, err := parseGraph(file)
		if err != nil || len(g.outputs) == 0 {
			return
		}
		var m SpeechModel
		_, _ = m.readCaches(g)
		_ = replaceCore(g, "file", defaultTables)
		_, _ = tracePredictor(g, g)
		_, _ = newTracer(g).ctcHead()
	})
}

// tailedGraph is a product that a convolution and one upwards follow.
func tailedGraph() []byte {
	width := func(op string, in, out string, kernel, stride, pad int64) []byte {
		return marshalNode(op, []string{in, "w"}, []string{out}, intsAttribute("kernel_shape", kernel), intsAttribute("strides", stride),
			intsAttribute("dilations", 1), intsAttribute("pads", pad, pad))
	}
	graph := appendValue(nil, graphInput, "x", typeFloat, "b", "c", "t")
	graph = appendNode(graph, "Mul", []string{"x", "x"}, "z")
	graph = appendMessage(graph, graphNode, width("Conv", "z", "a", 7, 1, 3))
	graph = appendMessage(graph, graphNode, width("ConvTranspose", "a", "y", 16, 8, 4))
	graph = appendTensor(graph, "w", []int64{1, 1, 1}, []float32{1})
	return appendMessage(nil, modelGraph, appendValue(graph, graphOutput, "y", typeFloat, "b", "c", "t"))
}

// A convolution without weights, in a graph that is otherwise NeMo's cache-aware export, is ignored.
func TestConvolutionWithoutWeights(t *testing.T) {
	encoder, err := os.ReadFile("testdata/checkpoints/cached/encoder-model.onnx")
	if err != nil {
		t.Fatal(err)
	}
	g, err := parseGraph(encoder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.nodes {
		if g.nodes[i].op == "Conv" {
			g.nodes[i].in = g.nodes[i].in[:1]
		}
	}
	if s, err := traceStreaming(g); err == nil && s.Taps == 0 {
		t.Log("no layer's convolution is known: the cache's own size counts")
	}
}

// Operators without the inputs that ONNX requires are refused when the file is read, since tracing follows their
// inputs.
func TestOperatorsLackNoInputs(t *testing.T) {
	for op, want := range leastInputs {
		for inputs := range want {
			node := marshalNode(op, make([]string, inputs), []string{"y"})
			_, err := parseGraph(appendMessage(nil, modelGraph, appendMessage(nil, graphNode, node)))
			if err == nil || !strings.Contains(err.Error(), op) {
				t.Errorf("%s with %d inputs: %v", op, inputs, err)
			}
		}
	}
}
