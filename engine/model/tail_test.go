package model_test

import (
	"os"
	"slices"
	"testing"

	"munadi/engine/model"
)

// TestTailOfVoice checks where the decoder of a voice begins, and how far it reaches: convolutions of 7 over steps, of
// 16, 16 and 8 upwards by 8, 8 and 4, each with two of 3 (the second dilated by 2), and of 7 over samples.
func TestTailOfVoice(t *testing.T) {
	file, err := os.ReadFile("../voice/testdata/tiny.onnx")
	if err != nil {
		t.Fatal(err)
	}
	cut, found, err := model.SplitTail(file)
	if err != nil || !found {
		t.Fatalf("found %t, %v", found, err)
	}
	if cut.Samples != 256 || cut.Reach != 6 || !slices.Equal(cut.Values, []string{"/Mul_7_output_0"}) {
		t.Errorf("%d samples a step, %d steps on each side, from %q", cut.Samples, cut.Reach, cut.Values)
	}
	if n := len(cut.Head) + len(cut.Tail); n > len(file)*11/10 {
		t.Errorf("the parts have %d bytes of %d: weights are in both", n, len(file))
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
