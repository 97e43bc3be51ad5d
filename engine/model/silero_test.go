package model_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"munadi/assets/vad"
	"munadi/engine/model"
	"munadi/engine/ort"
	"munadi/engine/silero"
	enginevad "munadi/engine/vad"
)

// speechWindows returns windows [·, 576] of speech, noise and silence, as Silero's network takes them.
func speechWindows(t testing.TB) []float32 {
	t.Helper()
	samples := make([]float32, 4000)
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"g00", "g28", "g16"} {
		wav, err := os.ReadFile("../testdata/golden/" + name + ".wav")
		if err != nil {
			t.Fatal(err)
		}
		for data := wav[44:]; len(data) >= 2; data = data[2:] {
			samples = append(samples, float32(int16(binary.LittleEndian.Uint16(data)))/32768)
		}
		for range 3000 {
			samples = append(samples, float32(random.NormFloat64())*0.1)
		}
	}
	samples = append(samples, make([]float32, 64)...)
	var windows []float32
	for at := 0; at+576 <= len(samples); at += 512 {
		windows = append(windows, samples[at:at+576]...)
	}
	return windows
}

// openSilero returns the shipped network as ONNX Runtime runs it, and its other forms by name: prepared, and as package
// silero computes it.
func openSilero(t testing.TB) (shipped *ort.SileroVAD, others map[string]enginevad.NetworkRunner) {
	t.Helper()
	load(t)
	open := func(file []byte) *ort.SileroVAD {
		v, err := ort.NewSilero(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = v.Close() })
		return v
	}
	w, err := model.ReadSilero(vad.ModelBytes())
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := model.PrepareSilero(vad.ModelBytes(), w)
	if err != nil {
		t.Fatal(err)
	}
	return open(vad.ModelBytes()), map[string]enginevad.NetworkRunner{
		"prepared": open(prepared), "own": silero.NewNetwork(w),
	}
}

// TestSileroEqualsTheShippedGraph: the probabilities of both other forms are those of the shipped graph, in one call of
// many windows as in calls of a few, with the LSTM's state handed on; those of our own to the bit.
func TestSileroEqualsTheShippedGraph(t *testing.T) {
	shipped, others := openSilero(t)
	windows := speechWindows(t)
	n := len(windows) / 576
	want, wantH, wantC, err := shipped.RunVAD(t.Context(), windows, n, make([]float32, 128), make([]float32, 128))
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(want) > 0.1 || slices.Max(want) < 0.9 {
		t.Fatalf("probabilities from %v to %v: the sound has no speech and silence", slices.Min(want), slices.Max(want))
	}
	for name, v := range others {
		var first []float32
		for _, size := range []int{n, 94, 7, 1} {
			got, h, c := runSilero(t, v, windows, size)
			if d := largestDifference(got, want); d > 1e-5 {
				t.Errorf("%s, %d windows a call: probabilities differ by up to %g", name, size, d)
			}
			if d := max(largestDifference(h, wantH), largestDifference(c, wantC)); d > 1e-3 {
				t.Errorf("%s, %d windows a call: states differ by up to %g", name, size, d)
			}
			if first == nil {
				first = got
			} else if name == "own" && !slices.Equal(got, first) {
				t.Errorf("%d windows a call: probabilities differ from those of one call", size)
			}
		}
	}
}

// runSilero returns the probabilities of all windows, in calls of size windows, and the last state.
func runSilero(t *testing.T, v enginevad.NetworkRunner, windows []float32, size int) (got, h, c []float32) {
	t.Helper()
	h, c = make([]float32, 128), make([]float32, 128)
	for n := len(windows) / 576; len(got) < n; {
		at, frames := len(got), min(size, n-len(got))
		probs, hn, cn, err := v.RunVAD(t.Context(), windows[at*576:(at+frames)*576], frames, h, c)
		if err != nil {
			t.Fatal(err)
		}
		got, h, c = append(got, probs...), hn, cn
	}
	return got, h, c
}

func largestDifference(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(float64(a[i]-b[i])))
	}
	return d
}

// TestReadSileroRefusesAnotherGraph: weights of another network, or a basis that can't be folded, are errors.
func TestReadSileroRefusesAnotherGraph(t *testing.T) {
	t.Parallel()
	encoder, err := os.ReadFile(bundle + "/ctc-head.onnx")
	if err != nil {
		t.Fatal(err)
	}
	renamed := bytes.ReplaceAll(vad.ModelBytes(), []byte("encoder.0.bias"), []byte("encoder.9.bias"))
	asymmetric, basis := slices.Clone(vad.ModelBytes()), []byte("stft.forward_basis_buffer")
	for i := range 4 { // the bytes of one number of the raw data, which follows the name
		asymmetric[bytes.LastIndex(asymmetric, basis)+len(basis)+4000+i] ^= 0x3f
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"no graph":      {[]byte("no graph"), "voice activity model"},
		"another graph": {encoder, "operators"},
		"no weight":     {renamed, "encoder.0.bias"},
		"asymmetric":    {asymmetric, "symmetric"},
	} {
		if _, err := model.ReadSilero(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
	}
}

// BenchmarkSilero measures a minute of sound, by the number of windows in a call: 94 of a file, 1 of live sound.
func BenchmarkSilero(b *testing.B) {
	shipped, forms := openSilero(b)
	forms["shipped"] = shipped
	windows := speechWindows(b)
	h, c := make([]float32, 128), make([]float32, 128)
	const minute = 60 * 16000 / 512
	for size, kind := range map[int]string{94: "file", 1: "live"} {
		for name, v := range forms {
			b.Run(name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					for range minute / size {
						if _, _, _, err := v.RunVAD(b.Context(), windows[:size*576], size, h, c); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
