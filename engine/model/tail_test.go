package model_test

import (
	"os"
	"slices"
	"testing"

	"munadi/engine/model"
)

// TestTailOfVoice checks where the flow and the decoder of a voice begin, and how far they reach. The flow is four times
// four convolutions of 5 over steps, with one of 7 that begins the decoder; the decoder's others are 16, 16 and 8 upwards
// by 8, 8 and 4, each with two of 3 (the second dilated by 2), and of 7 over samples.
func TestTailOfVoice(t *testing.T) {
	file, err := os.ReadFile("../voice/testdata/tiny.onnx")
	if err != nil {
		t.Fatal(err)
	}
	cut, found, err := model.SplitTail(file)
	if err != nil || !found || len(cut.Stages) != 2 {
		t.Fatalf("found %t with %d stages, %v", found, len(cut.Stages), err)
	}
	flow, decoder := cut.Stages[0], cut.Stages[1]
	if flow.Samples != 1 || flow.Reach != 4*4*2+3 || decoder.Samples != 256 || decoder.Reach != 3 {
		t.Errorf("%d and %d samples a step, %d and %d steps on each side", flow.Samples, decoder.Samples, flow.Reach, decoder.Reach)
	}
	if !slices.Equal(decoder.Inputs, flow.Outputs) || len(flow.Outputs) != 1 || !slices.Equal(flow.Inputs, cut.Outputs) {
		t.Errorf("from %q to %q, from %q", flow.Inputs, flow.Outputs, decoder.Inputs)
	}
	if n := len(cut.Head) + len(flow.Graph) + len(decoder.Graph); n > len(file)*11/10 {
		t.Errorf("the parts have %d bytes of %d: weights are in several", n, len(file))
	}
	for _, other := range []string{"../voice/testdata/silent.onnx", "../voice/testdata/shape.onnx"} {
		file, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		if _, found, err := model.SplitTail(file); found || err != nil {
			t.Errorf("%s has a tail (%t), %v", other, found, err)
		}
	}
}
