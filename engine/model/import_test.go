package model_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"munadi/engine/decode"
	"munadi/engine/model"
	"munadi/engine/nemo"
)

// importFile imports a checkpoint into a new folder.
func importFile(t testing.TB, path string, o model.ImportOptions) string {
	t.Helper()
	c, err := nemo.OpenCheckpoint(path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	dir := t.TempDir()
	if err := model.ImportCheckpoint(c, dir, o); err != nil {
		t.Fatal(err)
	}
	return dir
}

// referenceCheckpoint returns the reference model as NeMo saved it, in the shared folder.
func referenceCheckpoint(t testing.TB) string {
	t.Helper()
	const path = "../../../shared/reference/svc-stt.nemo"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no ../shared/reference beside the project: the reference checkpoint is not tried")
	}
	return path
}

// NeMo's export and the import of one checkpoint must give the same results.
func TestImportedCheckpointEqualsExport(t *testing.T) {
	imported := open(t, importFile(t, referenceCheckpoint(t), model.ImportOptions{}))
	exported := open(t, bundle)
	if !imported.IsRewritten() || !imported.HasCTC() || !imported.HasRNNT() {
		t.Fatalf("rewritten %v, CTC %v, RNNT %v", imported.IsRewritten(), imported.HasCTC(), imported.HasRNNT())
	}
	agree(t, imported, exported, lengths()...)
	compare(t, "imported", exported, imported)
}

// expected is what PyTorch computes with a checkpoint of testdata/checkpoints; see make.py there.
type expected struct {
	Bands, Frames int
	Joint, CTC    [][]float32
	RNNT          *struct {
		Tokens, Frames []int
		Score          float64
	}
}

// spectrogram is make.py's made-up input [bands, frames+1], the last frame zero.
func (w expected) spectrogram() []float32 {
	mel := make([]float32, 0, w.Bands*(w.Frames+1))
	for f := range w.Bands {
		for t := range w.Frames {
			x, y := float64(f), float64(t)
			mel = append(mel, float32(math.Sin(0.37*x+0.11*y*(1+math.Mod(x, 5)))+0.5*math.Cos(0.05*y+x)))
		}
		mel = append(mel, 0)
	}
	return mel
}

// Each checkpoint represents a kind of model, whose output must equal PyTorch's.
func TestImportedCheckpointsEqualPyTorch(t *testing.T) {
	for _, name := range []string{"hybrid", "tdt", "ctc", "streaming", "limited", "views"} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile("testdata/checkpoints/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var want expected
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			m := open(t, importFile(t, "testdata/checkpoints/"+name+".nemo", model.ImportOptions{Name: name}))
			if m.HasRNNT() != (want.Joint != nil) || m.HasCTC() != (want.CTC != nil) || m.Name != name {
				t.Fatalf("%s: RNNT %v, CTC %v", m.Name, m.HasRNNT(), m.HasCTC())
			}
			compareExpected(t, m, want)
		})
	}
}

func compareExpected(t *testing.T, m *model.SpeechModel, want expected) {
	t.Helper()
	got, err := m.EncodeMel(t.Context(), want.spectrogram(), want.Frames)
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(got.Joint.Data, slices.Concat(want.Joint...)); m.HasRNNT() && !(d <= 1e-4) {
		t.Errorf("the encoder's output is %v apart", d)
	}
	if d := apart(got.CTC.Data, slices.Concat(want.CTC...)); m.HasCTC() && !(d <= 1e-3) {
		t.Errorf("the CTC log-probabilities are %v apart", d)
	}
	if want.RNNT == nil {
		return
	}
	h, err := decode.GreedySearch(t.Context(), m.NewNetwork(), got.Joint, decode.GreedyDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(h.Tokens, want.RNNT.Tokens) || !slices.Equal(h.Frames, want.RNNT.Frames) ||
		math.Abs(h.Score-want.RNNT.Score) > 1e-3 {
		t.Errorf("greedy: %v at %v, %v; want %v", h.Tokens, h.Frames, h.Score, *want.RNNT)
	}
}

// Memory-mapped weights, whose pages are dropped while the encoder runs, give nearly the same results.
func TestMappedWeightsComputeTheSame(t *testing.T) {
	for _, name := range []string{"hybrid", "streaming"} {
		dir := importFile(t, "testdata/checkpoints/"+name+".nemo", model.ImportOptions{})
		packed := open(t, dir)
		if err := os.WriteFile(filepath.Join(dir, model.MappedMark), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		mapped := open(t, dir)
		if !mapped.Mapped || packed.Mapped {
			t.Fatalf("%s: mapped %v and %v", name, mapped.Mapped, packed.Mapped)
		}
		for range 20 { // a while, in which pages go
			mel := make([]float32, packed.Features*401)
			for i := range mel {
				mel[i] = float32(i%17)/8 - 1
			}
			a, err := packed.EncodeMel(t.Context(), mel, 400)
			if err != nil {
				t.Fatal(err)
			}
			b, err := mapped.EncodeMel(t.Context(), mel, 400)
			if err != nil {
				t.Fatal(err)
			}
			if d := apart(a.Joint.Data, b.Joint.Data); !(d <= 1e-4) {
				t.Fatalf("%s: the encoders' outputs are %v apart", name, d)
			}
		}
	}
}

// closeTo compares the 8-bit model with the full one: the same label at nearly all frames.
func closeTo(t *testing.T, quantized, full *model.SpeechModel) {
	t.Helper()
	if !quantized.Int8 || full.Int8 || !quantized.IsRewritten() {
		t.Fatalf("int8 %v and %v, rewritten %v", quantized.Int8, full.Int8, quantized.IsRewritten())
	}
	if quantized.Bytes > full.Bytes*2/3 {
		t.Errorf("%d bytes, full precision has %d", quantized.Bytes, full.Bytes)
	}
	a, err := quantized.EncodeMel(t.Context(), ramp(400), 400)
	if err != nil {
		t.Fatal(err)
	}
	b, err := full.EncodeMel(t.Context(), ramp(400), 400)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for i := range a.T {
		x, y := a.CTC.At(i), b.CTC.At(i)
		if slices.Index(x, slices.Max(x)) == slices.Index(y, slices.Max(y)) {
			same++
		}
	}
	if a.T != b.T || same < a.T*9/10 {
		t.Errorf("%d of %d frames have the same label", same, a.T)
	}
}

func TestInt8ImportIsClose(t *testing.T) {
	if testing.Short() {
		t.Skip("quantizes several times")
	}
	path := referenceCheckpoint(t)
	closeTo(t, open(t, importFile(t, path, model.ImportOptions{Int8: true})), open(t, importFile(t, path, model.ImportOptions{})))
}

func TestQuantizedFolderIsClose(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	folders := map[string]string{"default": standard, "reference": bundle}
	for name, dir := range folders {
		t.Run(name, func(t *testing.T) {
			f, err := model.FolderAt(dir)
			if err != nil {
				t.Fatal(err)
			}
			to := t.TempDir()
			if err := model.QuantizeFolder(f, to); err != nil {
				t.Fatal(err)
			}
			closeTo(t, open(t, to), open(t, dir))
			again, err := model.FolderAt(to)
			if err != nil {
				t.Fatal(err)
			}
			if err := model.QuantizeFolder(again, t.TempDir()); err == nil {
				t.Error("a quantized model was quantized again")
			}
		})
	}
}

func TestOtherLayoutsAreQuantized(t *testing.T) {
	if testing.Short() {
		t.Skip("quantizes several times")
	}
	for name, dir := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			f, err := model.FolderAt(dir)
			if err != nil {
				t.Fatal(err)
			}
			to := t.TempDir()
			if err := model.QuantizeFolder(f, to); err != nil {
				t.Fatal(err)
			}
			if m := open(t, to); m.HasRNNT() != (name != "CTC only") || !m.HasCTC() || !m.Int8 {
				t.Errorf("RNNT %v, CTC %v, int8 %v", m.HasRNNT(), m.HasCTC(), m.Int8)
			}
		})
	}
}

// An installed model gets the weights that an import with 8-bit weights gives it, whatever kind it is of.
func TestQuantizedImportIsTheInt8Import(t *testing.T) {
	paths := map[string]string{}
	for _, name := range []string{"hybrid", "tdt", "ctc", "streaming", "limited", "cached", "prompted"} {
		paths[name] = "testdata/checkpoints/" + name + ".nemo"
	}
	if _, err := os.Stat("../../../shared/reference/svc-stt.nemo"); err == nil && !testing.Short() {
		paths["reference"] = referenceCheckpoint(t)
	}
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			f, err := model.FolderAt(importFile(t, path, model.ImportOptions{}))
			if err != nil {
				t.Fatal(err)
			}
			to := t.TempDir()
			if err := model.QuantizeFolder(f, to); err != nil {
				t.Fatal(err)
			}
			got, want := open(t, to), open(t, importFile(t, path, model.ImportOptions{Int8: true}))
			if !got.Int8 {
				t.Error("it has no 8-bit weights")
			}
			compare(t, name, want, got)
			again, err := model.FolderAt(to)
			if err != nil {
				t.Fatal(err)
			}
			if err := model.QuantizeFolder(again, t.TempDir()); err == nil {
				t.Error("a quantized model was quantized again")
			}
		})
	}
}

// TestPrecisionOfCheckpoints checks that a checkpoint says in which precision it holds its numbers.
func TestPrecisionOfCheckpoints(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"hybrid": "", "ctc": "float16", "streaming": "bfloat16"} {
		c, err := nemo.OpenCheckpoint(filepath.Join("testdata", "checkpoints", name+".nemo"), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got := c.HalfPrecision("encoder.layers.0.norm_out.weight"); got != want || c.HalfPrecision("unknown") != "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
