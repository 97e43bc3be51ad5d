package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"munadi/engine/model"
)

// pair opens a folder twice: with the rewritten graph and with the unmodified one.
func pair(t testing.TB, dir string, threads int) (rewritten, verbatim *model.SpeechModel) {
	t.Helper()
	load(t)
	f, err := model.FolderAt(dir)
	if err != nil {
		t.Fatal(err)
	}
	if rewritten, err = model.OpenModel(f, model.ModelOptions{Threads: threads}); err != nil {
		t.Fatal(err)
	}
	if verbatim, err = model.OpenModel(f, model.ModelOptions{Threads: threads, Verbatim: true}); err != nil {
		t.Fatal(errors.Join(err, rewritten.Close()))
	}
	t.Cleanup(func() { _ = errors.Join(rewritten.Close(), verbatim.Close()) })
	return rewritten, verbatim
}

// noise returns a spectrogram [80, valid+1] like features.ExtractMel: normally distributed, the last frame zero.
func noise(valid int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	mel := make([]float32, 80*(valid+1))
	for i := range mel {
		if i%(valid+1) < valid {
			mel[i] = float32(rng.NormFloat64())
		}
	}
	return mel
}

func lengths() []int {
	list := []int{32, 63, 64, 65, 99, 100, 101, 333, 1001, 2000}
	for n := 1; n <= 20; n++ {
		list = append(list, n)
	}
	return list
}

// The rewritten encoder must give the results of the unmodified one, at every length.
func TestRewrittenEncoderAgrees(t *testing.T) {
	rewritten, verbatim := pair(t, standard, 1)
	if !rewritten.IsRewritten() || verbatim.IsRewritten() {
		t.Fatalf("rewritten = %v and %v, want true and false", rewritten.IsRewritten(), verbatim.IsRewritten())
	}
	agree(t, rewritten, verbatim, lengths()...)
}

// Without tables, as for large models.
func TestRewrittenEncoderAgreesWithoutTables(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	_, verbatim := pair(t, bundle, 1)
	f, err := model.FolderAt(bundle)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.OpenModel(f, model.ModelOptions{Threads: 2, Tables: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	agree(t, m, verbatim, 1, 9, 100, 1001)
}

func TestRewrittenEncoderAgreesInOtherLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, dir := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			rewritten, verbatim := pair(t, dir, 1)
			if !rewritten.IsRewritten() {
				t.Error("the encoder is as it was")
			}
			agree(t, rewritten, verbatim, 1, 9, 100, 1001)
		})
	}
}

func agree(t *testing.T, a, b *model.SpeechModel, lengths ...int) {
	t.Helper()
	for _, valid := range lengths {
		mel := noise(valid, uint64(valid))
		x, err := a.EncodeMel(t.Context(), mel, valid)
		if err != nil {
			t.Fatalf("%d frames: %v", valid, err)
		}
		y, err := b.EncodeMel(t.Context(), mel, valid)
		if err != nil {
			t.Fatalf("%d frames: %v", valid, err)
		}
		if x.T != y.T {
			t.Fatalf("%d frames: %d encoded, want %d", valid, x.T, y.T)
		}
		distance := max(apart(x.CTC.Data, y.CTC.Data), apart(x.Joint.Data, y.Joint.Data))
		if !(distance <= 1e-4) {
			t.Errorf("%d frames: %v apart", valid, distance)
		}
	}
}

// apart returns the greatest difference of two vectors, infinite when their lengths differ.
func apart(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	most := 0.0
	for i := range a {
		most = math.Max(most, math.Abs(float64(a[i])-float64(b[i])))
	}
	return most
}

// BenchmarkEncode encodes ten seconds with the rewritten and the unmodified graph. MUNADI_BENCH_MODEL is the folder of
// another model.
func BenchmarkEncode(b *testing.B) {
	dir := bundle
	if other := os.Getenv("MUNADI_BENCH_MODEL"); other != "" {
		dir = other
	}
	const valid = 1000
	mel := noise(valid, 1)
	for _, threads := range []int{1, 2} {
		rewritten, verbatim := pair(b, dir, threads)
		for _, way := range []struct {
			name string
			m    *model.SpeechModel
		}{{"rewritten", rewritten}, {"verbatim", verbatim}} {
			b.Run(fmt.Sprintf("%s/threads=%d", way.name, threads), func(b *testing.B) {
				for b.Loop() {
					if _, err := way.m.EncodeMel(b.Context(), mel, valid); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A graph that differs from a FastConformer's must run unmodified. Each case replaces the operators of one kind in the
// default model by others of the same form.
func TestOtherEncodersStayAsTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, swap := range [][2]string{{"Relu", "Selu"}, {"And", "Xor"}, {"Softmax", "Hardmax"}, {"Tile", "Tile"}} {
		t.Run(swap[1], func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(bundle)); err != nil {
				t.Fatal(err)
			}
			replaceOperators(t, filepath.Join(dir, "encoder-model.onnx"), swap[0], swap[1])
			m, verbatim := pair(t, dir, 1)
			if want := swap[0] == swap[1]; m.IsRewritten() != want {
				t.Fatalf("rewritten = %v, want %v", m.IsRewritten(), want)
			}
			agree(t, m, verbatim, 100)
		})
	}
}

// replaceOperators renames operators in an ONNX file, where each is a NodeProto's field 4.
func replaceOperators(t *testing.T, file, from, to string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	field := func(op string) []byte { return append([]byte{4<<3 | 2, byte(len(op))}, op...) }
	if !bytes.Contains(b, field(from)) {
		t.Fatalf("the model has no %s", from)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(b, field(from), field(to)), 0o600); err != nil {
		t.Fatal(err)
	}
}
