package model

import (
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// ConvolutionTail is a network cut in two: the head runs over its whole input, and the tail, convolutions alone as in
// HiFi-GAN's generator (Kong et al. 2020), can run over pieces of the head's output, since a sample depends on few
// steps only.
type ConvolutionTail struct {
	Head, Tail []byte   // serialized ModelProtos
	Values     []string // outputs of the head and inputs of the tail, [1, C, T], or [1, C, 1] for what holds at all steps
	Samples    int      // of one step
	Reach      int      // steps before and after a step that its samples depend on
}

// SplitTail cuts the convolutions off the end of an ONNX file with one output. It is false for a network that does not
// end in convolutions which lengthen their input by whole factors.
func SplitTail(file []byte) (cut ConvolutionTail, found bool, err error) {
	g, err := parseGraph(file)
	if err != nil || len(g.outputs) != 1 {
		return cut, false, err
	}
	g.collectConstants()
	t := tailTracer{graph: g, makers: map[string]int{}, spans: map[string]tailSpan{}}
	for i, n := range g.nodes {
		for _, out := range n.out {
			t.makers[out] = i
		}
	}
	span, found := t.traceOutput(g.outputs[0])
	if !found || span.samples < 2 || t.feedsHead() {
		return cut, false, nil
	}
	cut = ConvolutionTail{Values: t.values, Samples: span.samples, Reach: int(math.Ceil(span.reach))}
	if cut.Head, err = t.marshalPart(file, false); err == nil {
		cut.Tail, err = t.marshalPart(file, true)
	}
	return cut, err == nil, err
}

// tailSpan says what a value of the tail depends on.
type tailSpan struct {
	samples int     // of one step
	reach   float64 // steps on each side
}

// tailTracer follows a graph from its output to where its convolutions begin.
type tailTracer struct {
	graph  *onnxGraph
	makers map[string]int // nodes by output
	nodes  []int          // of the tail
	values []string
	spans  map[string]tailSpan
}

// maxTail is how many values a tail may have: some 200 in the voices that are known.
const maxTail = 5000

// tailOperators are the operators of a tail beside convolutions: each sample of their output is made of one of their
// inputs.
var tailOperators = []string{"LeakyRelu", "Relu", "Tanh", "Add", "Div", "Identity"}

// traceOutput traces the tail; its last operators may add dimensions.
func (t *tailTracer) traceOutput(name string) (tailSpan, bool) {
	const most = 4 // dimensions
	for range most {
		i, made := t.makers[name]
		if !made || t.graph.nodes[i].op != "Unsqueeze" {
			break
		}
		t.nodes = append(t.nodes, i)
		name = t.graph.nodes[i].in[0]
	}
	return t.traceValue(name)
}

// traceValue returns the span of a value. One that no operator of a tail makes is where the tail begins.
func (t *tailTracer) traceValue(name string) (tailSpan, bool) {
	if span, known := t.spans[name]; known {
		return span, span.samples > 0
	}
	if len(t.spans) == maxTail {
		return tailSpan{}, false
	}
	t.spans[name] = tailSpan{} // a cycle has no span
	i, made := t.makers[name]
	if !made || !isTailOperator(t.graph.nodes[i]) {
		t.values = append(t.values, name)
		t.spans[name] = tailSpan{samples: 1}
		return t.spans[name], made
	}
	span, found := t.traceNode(t.graph.nodes[i])
	t.nodes = append(t.nodes, i)
	t.spans[name] = span
	return span, found
}

func isTailOperator(n operatorNode) bool {
	return len(n.out) == 1 && len(n.in) > 0 &&
		(n.op == "Conv" || n.op == "ConvTranspose" || slices.Contains(tailOperators, n.op))
}

func (t *tailTracer) traceNode(n operatorNode) (span tailSpan, found bool) {
	if n.op == "Conv" || n.op == "ConvTranspose" {
		if span, found = t.traceValue(n.in[0]); !found {
			return span, false
		}
		return widenSpan(span, n)
	}
	for _, in := range n.in {
		if _, constant := t.graph.tensors[in]; constant {
			continue
		}
		s, traced := t.traceValue(in)
		if !traced {
			return span, false
		}
		// What holds at all steps is added to samples of any rate.
		span = tailSpan{max(span.samples, s.samples), max(span.reach, s.reach)}
	}
	return span, span.samples > 0
}

// widenSpan returns the span of a convolution over values of a span; false unless its output has the input's length,
// or, transposed, its stride times that.
func widenSpan(span tailSpan, n operatorNode) (tailSpan, bool) {
	kernel, stride, dilation, pads := n.lists["kernel_shape"], n.lists["strides"], n.lists["dilations"], n.lists["pads"]
	if len(kernel) != 1 || len(stride) != 1 || len(dilation) != 1 || len(pads) != 2 || pads[0] != pads[1] ||
		kernel[0] < 1 || kernel[0] > 1<<10 || dilation[0] < 1 || dilation[0] > 1<<10 || len(n.lists["output_padding"]) > 0 {
		return span, false
	}
	width := dilation[0] * (kernel[0] - 1)
	if n.op == "Conv" {
		span.reach += float64(width) / 2 / float64(span.samples)
		return span, stride[0] == 1 && 2*pads[0] == width
	}
	if stride[0] < 1 || stride[0] > 1<<10 || width+1-2*pads[0] != stride[0] {
		return span, false
	}
	span.reach += math.Ceil(float64(width+1)/float64(stride[0])) / float64(span.samples)
	span.samples *= int(stride[0])
	return span, span.samples < 1<<16
}

// feedsHead reports whether an operator outside of the tail takes a value of it.
func (t *tailTracer) feedsHead() bool {
	used := t.inputsOf(false)
	return slices.ContainsFunc(t.nodes, func(i int) bool {
		return slices.ContainsFunc(t.graph.nodes[i].out, func(out string) bool { return used[out] })
	})
}

// marshalPart returns the tail's ModelProto, or the head's.
func (t *tailTracer) marshalPart(file []byte, tail bool) (out []byte, err error) {
	used := t.inputsOf(tail)
	err = eachField(file, 0, func(f protoField) error {
		if f.num != modelGraph {
			out = append(out, f.raw...)
			return nil
		}
		part, err := t.cutGraph(f, used, tail)
		out = appendMessage(out, modelGraph, part)
		return err
	})
	return out, err
}

// inputsOf returns the inputs of the tail's operators, or those of all others.
func (t *tailTracer) inputsOf(tail bool) map[string]bool {
	used := map[string]bool{}
	for i, n := range t.graph.nodes {
		if slices.Contains(t.nodes, i) != tail {
			continue
		}
		for _, in := range n.in {
			used[in] = true
		}
	}
	return used
}

// cutGraph copies the operators of one part with its weights, and declares the values between the parts. The head keeps
// the weights that no operator takes: the inner graph of one may.
func (t *tailTracer) cutGraph(graph protoField, used map[string]bool, tail bool) (out []byte, err error) {
	owned := t.inputsOf(true)
	node := 0
	err = eachField(graph.bytes, graph.off, func(f protoField) error {
		keep := true
		switch f.num {
		case graphNode:
			n := t.graph.nodes[node]
			keep = slices.Contains(t.nodes, node) == tail || tail && n.op == "Constant" && len(n.out) == 1 && used[n.out[0]]
			node++
		case graphInitializer:
			name, err := stringField(f.bytes, tensorName)
			if err != nil {
				return err
			}
			keep = used[name] || !tail && !owned[name]
		case graphInput:
			keep = !tail
		case graphOutput:
			keep = tail
		case graphValueInfo:
			keep = false // it may name values of the other part
		}
		if keep {
			out = append(out, f.raw...)
		}
		return nil
	})
	field := protowire.Number(graphOutput)
	if tail {
		field = graphInput
	}
	for _, name := range t.values {
		out = appendValue(out, field, name, typeFloat, "batch", "channels", "steps")
	}
	return out, err
}
