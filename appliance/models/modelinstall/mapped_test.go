package modelinstall

import (
	"os"
	"path/filepath"
	"testing"

	"munadi/engine/model"
)

func TestWidenedWeightsAreTestedInTheirFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		weights, checkpoint int64
		want                bool
	}{
		{"half precision", 440 << 20, 220 << 20, true},
		{"full precision", 440 << 20, 459 << 20, false},
		{"compressed", 440 << 20, 400 << 20, false},
		{"small", 18 << 20, 9 << 20, false},
	} {
		dir := t.TempDir()
		f, err := os.Create(filepath.Join(dir, "encoder-model.onnx.data"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(c.weights); err != nil { // a hole: no space is used
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := markMapped(dir, c.checkpoint)
		_, there := os.Stat(filepath.Join(dir, model.MappedMark))
		if err != nil || got != c.want || (there == nil) != c.want {
			t.Errorf("%s: %v, %v, mark %v", c.name, got, err, there)
		}
	}
}
