package voice_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	assetsort "munadi/assets/ort"
	"munadi/engine/ort"
	"munadi/engine/voice"
)

const (
	tinyGraph  = "testdata/tiny.onnx"
	tinyConfig = "testdata/tiny.onnx.json"
)

// loadRuntime loads ONNX Runtime once for the tests of this package.
func loadRuntime(t testing.TB) {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(filepath.Join(os.TempDir(), "munadi-test-ort"))
	if err == nil {
		err = ort.LoadLibrary(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func openTiny(t testing.TB) *voice.NeuralVoice {
	t.Helper()
	loadRuntime(t)
	v, err := voice.OpenFiles(tinyGraph, tinyConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func TestVoiceSpeaks(t *testing.T) {
	v := openTiny(t)
	ids, missing := v.EncodePhonemes("mˈarħabaː, kˈajfa?")
	if len(missing) > 0 || !slices.Equal(ids[:4], []int64{1, 0, 25, 0}) || ids[len(ids)-1] != 2 {
		t.Fatalf("ids %v, missing %q", ids, missing)
	}
	first, err := v.SynthesizeScaled(t.Context(), ids, 0, 1, 0)
	if err != nil || len(first) == 0 || len(first)%256 != 0 {
		t.Fatalf("%d samples, %v; want whole frames of 256", len(first), err)
	}
	again, err := v.SynthesizeScaled(t.Context(), ids, 0, 1, 0)
	if err != nil || !slices.Equal(first, again) {
		t.Errorf("without noise the second sound differs: %v", err)
	}
	slow, err := v.SynthesizeScaled(t.Context(), ids, 0, 2, 0)
	if err != nil || len(slow) < len(first)*3/2 {
		t.Errorf("twice as slow: %d samples of %d, %v", len(slow), len(first), err)
	}
	if trial, err := v.RunTrial(t.Context()); err != nil || trial.Speech <= 0 || trial.Loudest < 0.01 {
		t.Errorf("trial %+v, %v", trial, err)
	}
}

func TestVoiceSpeaksInSeveralCallsAtOnce(t *testing.T) {
	v := openTiny(t)
	ids, _ := v.EncodePhonemes("mˈarħabaː")
	want, err := v.SynthesizeScaled(t.Context(), ids, 0, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if got, err := v.SynthesizeScaled(t.Context(), ids, 0, 1, 0); err != nil || !slices.Equal(got, want) {
				t.Errorf("another sound, or %v", err)
			}
		})
	}
	calls.Wait()
}

func TestPhonemesWithoutIDs(t *testing.T) {
	v := openTiny(t)
	ids, missing := v.EncodePhonemes("a\u4e2da\u4e2d")
	if len(ids) != 7 || !slices.Equal(missing, []string{"\u4e2d"}) {
		t.Errorf("ids %v, missing %q", ids, missing)
	}
	for _, mute := range []string{"", " ,.", "\u4e2d"} {
		if ids, _ := v.EncodePhonemes(mute); ids != nil {
			t.Errorf("%q has the ids %v", mute, ids)
		}
	}
	c := v.Config
	c.Clusters = [][]string{{"a", "ɪ"}}
	if ids, _ := c.EncodePhonemes("aɪ"); !slices.Contains(ids, 161) {
		t.Errorf("the cluster has the ids %v, want 161", ids)
	}
}

func TestLimitsOfASentence(t *testing.T) {
	v := openTiny(t)
	if _, err := v.Synthesize(t.Context(), make([]int64, 4001)); !errors.Is(err, voice.ErrTooLong) {
		t.Errorf("4001 ids: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Synthesize(ctx, []int64{1, 0, 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

// TestFaultyVoices checks that each faulty voice is refused with an error that names the fault.
func TestFaultyVoices(t *testing.T) {
	loadRuntime(t)
	tiny, err := os.ReadFile(tinyGraph)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(tiny)
	weight := []byte("dec.conv_pre.bias\x4a\x40") // 16 numbers follow
	at := bytes.Index(damaged, weight) + len(weight)
	binary.LittleEndian.PutUint32(damaged[at+8:], math.Float32bits(float32(math.NaN())))
	for want, graph := range map[string][]byte{
		"has a value that is no finite number":         damaged,
		"not an ONNX file":                             []byte("no network"),
		"want [1, 1, 1, N] samples":                    readFaulty(t, "shape"),
		"has no number at sample 0":                    readFaulty(t, "nan"),
		"gives silence":                                readFaulty(t, "silent"),
		"has the inputs input and the outputs output;": readFaulty(t, "inputs"),
		"protobuf encoding is invalid":                 tiny[:len(tiny)/2],
	} {
		path := filepath.Join(t.TempDir(), "faulty.onnx")
		if err := os.WriteFile(path, graph, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := voice.OpenFiles(path, tinyConfig)
		if err == nil {
			_, err = v.RunTrial(t.Context())
			_ = v.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want: %s", err, want)
		}
	}
	if _, err := voice.OpenFolder("testdata", 1); err == nil || !strings.Contains(err.Error(), "a voice is one") {
		t.Errorf("a folder of several voices: %v", err)
	}
}

func readFaulty(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".onnx")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPiperAgrees compares ids and sounds with those of Piper's own runtime: the samples of the same network in two
// versions of ONNX Runtime differ by rounding alone.
func TestPiperAgrees(t *testing.T) {
	python := findPeer(t, "piper")
	v := openTiny(t)
	sentences := []string{"mˈarħabaː bikˌum.", "hˈal tˈuʔakkid ʔalmˈawʕid?", "ʔˈahlan, ʁˈadan; ʕˈaʃara!"}
	scales := []float32{0, 1.3, 0}
	in, err := json.Marshal(map[string]any{"sentences": sentences, "scales": scales})
	if err != nil {
		t.Fatal(err)
	}
	for i, theirs := range askPeer(t, in, python, "testdata/peer.py", tinyGraph) {
		ids, _ := v.EncodePhonemes(sentences[i])
		if !slices.Equal(theirs.IDs, ids) {
			t.Errorf("%s: ids %v, want %v", sentences[i], ids, theirs.IDs)
		}
		ours, err := v.SynthesizeScaled(t.Context(), ids, scales[0], scales[1], scales[2])
		compareSamples(t, sentences[i], ours, theirs.Samples, err)
	}
}

// findPeer returns the interpreter that has a package.
func findPeer(t *testing.T, name string) (python string) {
	t.Helper()
	python = "../../.cache/venv/bin/python"
	if exec.Command(python, "-c", "import "+name).Run() != nil {
		reason := "no package " + name + " in .cache/venv: packaging/setup test"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return python
}

// peerSpeech is what another runtime made of a sentence.
type peerSpeech struct {
	IDs     []int64
	Samples []float32
}

// askPeer runs a program with JSON at its input.
func askPeer(t *testing.T, in []byte, program string, args ...string) (answer []peerSpeech) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil || len(answer) == 0 {
		t.Fatalf("%d sentences, %v", len(answer), err)
	}
	return answer
}

func compareSamples(t *testing.T, sentence string, ours, theirs []float32, err error) {
	t.Helper()
	if err != nil || len(ours) != len(theirs) {
		t.Fatalf("%s: %d samples, want %d (%v)", sentence, len(ours), len(theirs), err)
	}
	for at, want := range theirs {
		if math.Abs(float64(ours[at]-want)) > 1e-4 {
			t.Fatalf("%s: sample %d is %g, want %g", sentence, at, ours[at], want)
		}
	}
}

// processorTime is the processor time of this process so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkVoice measures synthesis in parts of a short and a long sentence, and how long the first part takes, on one
// core: of the voice in the variable MUNADI_VOICE (NAME.onnx), or the tiny one.
func BenchmarkVoice(b *testing.B) {
	loadRuntime(b)
	graph := os.Getenv("MUNADI_VOICE")
	if graph == "" {
		graph = tinyGraph
	}
	v, err := voice.OpenFiles(graph, graph+".json")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = v.Close() }()
	sentence := "mˈarħabaː bikˌum, mˈawʕidukum ʁˈadan ʔassˈaːʕa ʔalχˈaːmisa."
	b.Run("short", func(b *testing.B) { benchmarkSentence(b, v, sentence) })
	b.Run("long", func(b *testing.B) { benchmarkSentence(b, v, strings.Repeat(sentence, 3)) })
}

func benchmarkSentence(b *testing.B, v *voice.NeuralVoice, phonemes string) {
	ids, _ := v.EncodePhonemes(phonemes)
	var spoken, first time.Duration
	before := processorTime()
	for b.Loop() {
		began, samples := time.Now(), 0
		err := v.SynthesizeParts(b.Context(), ids, func(part []float32, _ int) error {
			if samples == 0 {
				first += time.Since(began)
			}
			samples += len(part)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		spoken += time.Duration(samples) * time.Second / time.Duration(v.SampleRate)
	}
	b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "first-ms")
	b.ReportMetric(float64(processorTime()-before)/float64(spoken), "cpu-s/s")
	b.ReportMetric(spoken.Seconds()/float64(b.N), "speech-s/op")
}
