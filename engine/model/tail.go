package model

import (
	"math"
	"slices"
)

// ConvolutionTail is a network cut in pieces: a head, which runs over its whole input, and stages of convolutions as in
// the flow of VITS (Kim et al. 2021) and the generator of HiFi-GAN (Kong et al. 2020), which can run over some steps,
// since what they compute depends on few others.
type ConvolutionTail struct {
	Head    []byte   // serialized ModelProto
	Outputs []string // of the head
	Stages  []TailStage
}

// TailStage is a network from values [1, C, T] to values [1, D, T·Samples]; an input that holds at all steps has T = 1.
type TailStage struct {
	Graph           []byte // serialized ModelProto
	Inputs, Outputs []string
	Samples         int // of one step: 1 but in the last stage
	Reach           int // steps before and after a step that its samples depend on
}

// SplitTail cuts the convolutions off the end of an ONNX file with one output: those that keep the number of steps, and
// from where it is lengthened by whole factors. It is false for a network that does not end so.
func SplitTail(file []byte) (cut ConvolutionTail, found bool, err error) {
	g, err := parseGraph(file)
	if err != nil || len(g.outputs) != 1 {
		return cut, false, err
	}
	traced := newTracer(g)
	g.collectAliases()
	for _, operators := range [][]string{slices.Concat(generatorOperators, flowOperators), generatorOperators} {
		t := tailTracer{traced, operators, map[*operatorNode]int{}, map[string]tailSpan{}}
		if t.traceOutput(g.outputs[0]) && !t.feedsHead() {
			cut, err = t.cutFile(file)
			return cut, err == nil, err
		}
	}
	return cut, false, nil
}

// collectAliases adds the outputs of operators that only rename a tensor: exporters write equal weights once.
func (g *onnxGraph) collectAliases() {
	for _, n := range g.nodes {
		if n.op == "Identity" && len(n.out) == 1 {
			if tensor, known := g.tensors[n.in[0]]; known {
				g.tensors[n.out[0]] = tensor
			}
		}
	}
}

// tailSpan says what a value of the tail depends on.
type tailSpan struct {
	samples int     // of one step
	flow    float64 // steps on each side, by the convolutions that keep the number of steps
	reach   float64 // and by those from where it is lengthened
}

// isHead reports whether no convolution leads to a value.
func (s tailSpan) isHead() bool { return s.samples == 1 && s.flow == 0 }

// stage returns the stage of the operator that makes a value.
func (s tailSpan) stage() int {
	if s.samples > 1 {
		return lastStage
	}
	return 0
}

func (s tailSpan) widest(o tailSpan) tailSpan {
	return tailSpan{max(s.samples, o.samples), max(s.flow, o.flow), max(s.reach, o.reach)}
}

// tailTracer follows a graph from its output to where its convolutions begin.
type tailTracer struct {
	*graphTracer
	operators []string
	parts     map[*operatorNode]int // stages of its operators
	spans     map[string]tailSpan
}

// maxTail is how many values a tail may have: some 900 in the voices that are known.
const maxTail = 5000

// generatorOperators are the operators of a generator beside convolutions, flowOperators those of a flow: each number
// of their output is made of numbers of the same step.
var (
	generatorOperators = []string{"LeakyRelu", "Relu", "Tanh", "Add", "Div", "Identity"}
	flowOperators      = []string{
		"Sigmoid", "Exp", "Neg", "Sub", "Mul", "Slice", "Split", "Concat", "Shape", "ConstantOfShape",
	}
)

// traceOutput traces the tail; its last operators may add dimensions.
func (t *tailTracer) traceOutput(name string) bool {
	const most = 4 // dimensions
	for range most {
		n := t.producer[name]
		if n == nil || n.op != "Unsqueeze" {
			break
		}
		t.parts[n] = lastStage
		name = n.in[0]
	}
	span, found := t.traceValue(name)
	return found && span.samples > 1
}

// traceValue returns the span of a value. One that no operator of a tail makes is where the tail begins.
func (t *tailTracer) traceValue(name string) (tailSpan, bool) {
	if span, known := t.spans[name]; known {
		return span, span.samples > 0
	}
	if len(t.spans) >= maxTail {
		return tailSpan{}, false
	}
	t.spans[name] = tailSpan{} // a cycle has no span
	n := t.producer[name]
	if n == nil || !t.isTailOperator(n) {
		t.spans[name] = tailSpan{samples: 1}
		return t.spans[name], n != nil
	}
	span, found := t.traceNode(n)
	if !found {
		return span, false
	}
	for _, out := range n.out {
		t.spans[out] = span
	}
	if !span.isHead() {
		t.parts[n] = span.stage()
	}
	return span, true
}

func (t *tailTracer) isTailOperator(n *operatorNode) bool {
	if len(n.out) == 0 || len(n.in) == 0 {
		return false
	}
	switch n.op {
	case "Conv", "ConvTranspose":
		return true
	case "Split", "Concat":
		return slices.Contains(t.operators, n.op) && n.ints["axis"] == 1
	case "Slice":
		return slices.Contains(t.operators, n.op) && t.keepsSteps(n)
	case "ConstantOfShape":
		shape := t.producer[n.in[0]]
		return slices.Contains(t.operators, n.op) && shape != nil && shape.op == "Shape"
	}
	return slices.Contains(t.operators, n.op)
}

// keepsSteps reports whether a Slice cuts channels, or nothing: exporters write x[:, :n] as three of them.
func (t *tailTracer) keepsSteps(n *operatorNode) bool {
	if len(n.in) < 4 {
		return false
	}
	var bounds [4]int64 // start, end, axis, step
	bounds[3] = 1
	for i, name := range n.in[1:min(len(n.in), 5)] {
		tensor := t.tensors[name]
		numbers := tensor.toInt64s()
		if len(numbers) != 1 {
			return false
		}
		bounds[i] = numbers[0]
	}
	return bounds[2] == 1 || bounds[0] == 0 && bounds[1] >= math.MaxInt32 && bounds[3] == 1
}

func (t *tailTracer) traceNode(n *operatorNode) (span tailSpan, found bool) {
	if n.op == "Conv" || n.op == "ConvTranspose" {
		if span, found = t.traceValue(n.in[0]); !found {
			return span, false
		}
		return widenSpan(span, n)
	}
	inputs := n.in
	if n.op == "Slice" || n.op == "Split" {
		inputs = n.in[:1]
	}
	for _, in := range inputs {
		if constant, known := t.tensors[in]; known {
			if d := constant.dims; len(d) > 0 && d[len(d)-1] != 1 { // another number at each step
				return span, false
			}
			continue
		}
		s, traced := t.traceValue(in)
		if !traced {
			return span, false
		}
		span = span.widest(s) // what holds at all steps is added to samples of any rate
	}
	return span, span.samples > 0
}

// widenSpan returns the span of a convolution over values of a span; false unless its output has the input's length,
// or, transposed, its stride times that.
func widenSpan(span tailSpan, n *operatorNode) (tailSpan, bool) {
	kernel, stride, dilation, pads := n.lists["kernel_shape"], n.lists["strides"], n.lists["dilations"], n.lists["pads"]
	if len(kernel) != 1 || len(stride) != 1 || len(dilation) != 1 || len(pads) != 2 || pads[0] != pads[1] ||
		kernel[0] < 1 || kernel[0] > 1<<10 || dilation[0] < 1 || dilation[0] > 1<<10 || len(n.lists["output_padding"]) > 0 {
		return span, false
	}
	width := dilation[0] * (kernel[0] - 1)
	if n.op == "Conv" {
		if span.samples == 1 {
			span.flow += float64(width) / 2
		} else {
			span.reach += float64(width) / 2 / float64(span.samples)
		}
		return span, stride[0] == 1 && 2*pads[0] == width
	}
	if stride[0] < 1 || stride[0] > 1<<10 || width+1-2*pads[0] != stride[0] {
		return span, false
	}
	span.reach += math.Ceil(float64(width+1)/float64(stride[0])) / float64(span.samples)
	span.samples *= int(stride[0])
	return span, span.samples < 1<<16
}

// Parts of a network beside stage 0.
const (
	headPart  = -1
	lastStage = 1
)

// partOf returns the part of an operator.
func (t *tailTracer) partOf(n *operatorNode) int {
	if stage, found := t.parts[n]; found {
		return stage
	}
	return headPart
}

// feedsHead reports whether an operator outside of the tail takes a value of it.
func (t *tailTracer) feedsHead() bool {
	return slices.ContainsFunc(t.crossing(headPart), func(name string) bool {
		return t.partOf(t.producer[name]) != headPart
	})
}

// inputsOf returns what the operators of some parts take, with what makes constants of it.
func (t *tailTracer) inputsOf(parts ...int) map[string]bool {
	used := map[string]bool{}
	for i := len(t.nodes) - 1; i >= 0; i-- { // whoever takes a value stands behind its maker
		n := &t.nodes[i]
		for _, in := range n.in {
			used[in] = used[in] || slices.Contains(parts, t.partOf(n)) || t.makesConstant(n) && used[n.out[0]]
		}
	}
	return used
}

// makesConstant reports whether an operator makes a constant, which each part has that takes it.
func (t *tailTracer) makesConstant(n *operatorNode) bool {
	if len(n.out) != 1 {
		return false
	}
	_, constant := t.tensors[n.out[0]]
	return constant
}

// cutFile makes the parts' files.
func (t *tailTracer) cutFile(file []byte) (cut ConvolutionTail, err error) {
	widest := tailSpan{}
	for _, span := range t.spans {
		widest = widest.widest(span)
	}
	both := []TailStage{
		{Samples: 1, Reach: int(math.Ceil(widest.flow)), Inputs: t.crossing(0)},
		{Samples: widest.samples, Reach: int(math.Ceil(widest.reach)), Inputs: t.crossing(lastStage)},
	}
	both[lastStage].Outputs = t.outputs
	for _, name := range both[lastStage].Inputs {
		if t.partOf(t.producer[name]) == 0 {
			both[0].Outputs = append(both[0].Outputs, name)
		}
	}
	for i, stage := range both {
		if len(stage.Outputs) == 0 {
			continue // no convolution before those that lengthen
		}
		for _, name := range stage.Inputs {
			if t.partOf(t.producer[name]) == headPart && !slices.Contains(cut.Outputs, name) {
				cut.Outputs = append(cut.Outputs, name)
			}
		}
		if stage.Graph, err = t.marshalPart(file, i, stage.Inputs, stage.Outputs); err != nil {
			return cut, err
		}
		cut.Stages = append(cut.Stages, stage)
	}
	cut.Head, err = t.marshalPart(file, headPart, nil, cut.Outputs)
	return cut, err
}

// crossing returns the values that a part takes from others.
func (t *tailTracer) crossing(part int) (names []string) {
	known := map[string]bool{}
	for i := range t.nodes {
		n := &t.nodes[i]
		if t.partOf(n) != part {
			continue
		}
		for _, name := range n.in {
			_, constant := t.tensors[name]
			maker := t.producer[name]
			if !constant && !known[name] && maker != nil && t.partOf(maker) != part {
				names = append(names, name)
			}
			known[name] = true
		}
	}
	return names
}

// marshalPart returns a part's ModelProto.
func (t *tailTracer) marshalPart(file []byte, part int, inputs, outputs []string) (out []byte, err error) {
	err = eachField(file, 0, func(f protoField) error {
		if f.num != modelGraph {
			out = append(out, f.raw...)
			return nil
		}
		graph, err := t.cutGraph(f, part)
		for _, name := range inputs {
			graph = appendValue(graph, graphInput, name, typeFloat, "batch", "channels", "steps")
		}
		if part != lastStage { // the last keeps the whole's
			for _, name := range outputs {
				graph = appendValue(graph, graphOutput, name, typeFloat, "batch", "channels", "steps")
			}
		}
		out = appendMessage(out, modelGraph, graph)
		return err
	})
	return out, err
}

// cutGraph copies the operators of one part with its weights. The head keeps the weights that no operator takes: the
// inner graph of one may.
func (t *tailTracer) cutGraph(graph protoField, part int) (out []byte, err error) {
	used := t.inputsOf(part)
	owned := t.inputsOf(0, lastStage)
	node := 0
	err = eachField(graph.bytes, graph.off, func(f protoField) error {
		keep := true
		switch f.num {
		case graphNode:
			n := &t.nodes[node]
			keep = t.partOf(n) == part || part != headPart && t.makesConstant(n) && used[n.out[0]]
			node++
		case graphInitializer:
			name, err := stringField(f.bytes, tensorName)
			if err != nil {
				return err
			}
			keep = used[name] || part == headPart && !owned[name]
		case graphInput:
			keep = part == headPart
		case graphOutput:
			keep = part == lastStage
		case graphValueInfo:
			keep = false // it may name values of another part
		}
		if keep {
			out = append(out, f.raw...)
		}
		return nil
	})
	return out, err
}
