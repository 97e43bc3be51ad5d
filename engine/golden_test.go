package engine

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	assetsort "munadi/assets/ort"
	"munadi/assets/vad"
	"munadi/engine/audio"
	"munadi/engine/decode"
	"munadi/engine/model"
	"munadi/engine/ort"
)

const (
	bundle    = "../assets/model/bundle"
	reference = "../../shared/reference"
	// weights is the reference model, with which NeMo's results were computed, in the layout of packaging/make-model.
	weights = "testdata/reference"
)

func testConfig(t testing.TB) Config {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	return Config{
		Library:  ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: filepath.Join(os.TempDir(), "munadi-test-ort"), VAD: vad.ModelBytes(), Threads: 2,
	}
}

// sharedEngine is an engine that tests share: opening a model takes longer than most tests.
type sharedEngine struct {
	sync.Once
	engine *Engine
	err    error
}

var shared, fromNeMo sharedEngine

func (o *sharedEngine) openOnce(t testing.TB, dir string) *Engine {
	t.Helper()
	o.Do(func() { o.engine, o.err = OpenDir(dir, testConfig(t)) })
	if o.err != nil {
		t.Fatal(o.err)
	}
	return o.engine
}

// openTest opens the default model.
func openTest(t testing.TB) *Engine {
	t.Helper()
	return shared.openOnce(t, bundle)
}

// openReference opens the reference model.
func openReference(t testing.TB) *Engine {
	t.Helper()
	return fromNeMo.openOnce(t, weights)
}

// nemoAnswer is one of NeMo's hypotheses.
type nemoAnswer struct {
	Text   string
	Score  float64
	Tokens []int
	Frames []int
}

type goldenFile struct {
	Text    string
	Wav     string
	RNNT    map[string][]nemoAnswer
	CTC     map[string][]nemoAnswer
	Spotted map[string]struct {
		Hyps []struct {
			Word  string
			Score float64
		}
		Merged string `json:"merged_ctc"`
	} `json:"ctc_ws"`
}

// loadGolden returns NeMo's results and the folder of the recordings: all forty in the shared folder, if it exists,
// otherwise the few that are committed.
func loadGolden(t *testing.T) ([]goldenFile, string) {
	t.Helper()
	path, dir := filepath.Join(reference, "golden/golden.json"), filepath.Join(reference, "wav")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Log("no ../shared/reference beside the project: only the committed recordings are compared with NeMo")
		dir = "testdata/golden"
		if b, err = os.ReadFile(filepath.Join(dir, "golden.json")); err != nil {
			t.Fatal(err)
		}
	}
	var all struct{ Files []goldenFile }
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all.Files, dir
}

// searches are NeMo's strategies under the golden file's names.
var searches = map[string]func(context.Context, decode.TransducerNetwork, decode.EncoderFrames) ([]decode.Hypothesis, error){
	"greedy_batch_loop_labels": greedyWith(func(*decode.GreedyOptions) {}),
	"greedy_batch_loop_frames": greedyWith(func(o *decode.GreedyOptions) { o.LoopLabels = false }),
	"greedy_max_symbols_1":     greedyWith(func(o *decode.GreedyOptions) { o.MaxSymbols = 1 }),
	"greedy_temperature_2":     greedyWith(func(o *decode.GreedyOptions) { o.Temperature = 2 }),
	"beam4":                    beamWith(decode.BeamSearch, func(*decode.BeamOptions) {}),
	"beam4_nonorm":             beamWith(decode.BeamSearch, func(o *decode.BeamOptions) { o.ScoreNorm = false }),
	"beam4_temp2":              beamWith(decode.BeamSearch, func(o *decode.BeamOptions) { o.SoftmaxTemperature = 2 }),
	"beam1":                    beamWith(decode.BeamSearch, func(o *decode.BeamOptions) { o.Size = 1 }),
	"maes4":                    beamWith(decode.MAESSearch, func(*decode.BeamOptions) {}),
	"malsd_batch4":             beamWith(decode.MALSDSearch, func(*decode.BeamOptions) {}),
	"tsd4":                     beamWith(decode.TSDSearch, func(*decode.BeamOptions) {}),
	"alsd4":                    beamWith(decode.ALSDSearch, func(*decode.BeamOptions) {}),
}

type searchOptions = func(context.Context, decode.TransducerNetwork, decode.EncoderFrames) ([]decode.Hypothesis, error)

func greedyWith(change func(*decode.GreedyOptions)) searchOptions {
	o := decode.GreedyDefaults()
	change(&o)
	return func(ctx context.Context, n decode.TransducerNetwork, f decode.EncoderFrames) ([]decode.Hypothesis, error) {
		h, err := decode.GreedySearch(ctx, n, f, o)
		return []decode.Hypothesis{h}, err
	}
}

func beamWith(run func(context.Context, decode.TransducerNetwork, decode.EncoderFrames, decode.BeamOptions) ([]decode.Hypothesis, error),
	change func(*decode.BeamOptions),
) searchOptions {
	o := decode.BeamDefaults()
	change(&o)
	return func(ctx context.Context, n decode.TransducerNetwork, f decode.EncoderFrames) ([]decode.Hypothesis, error) {
		return run(ctx, n, f, o)
	}
}

// Every search through the real pipeline (WAV, features, graph) gives NeMo's tokens, frames and scores.
func TestSearchesAgreeWithNeMo(t *testing.T) { agreeWithNeMo(t, openReference(t)) }

// The same through NeMo's checkpoint instead of its ONNX export, and the CTC head's output within 1e-3.
func TestImportedCheckpointAgreesWithNeMo(t *testing.T) {
	checkpoint := filepath.Join(reference, "svc-stt.nemo")
	if _, err := os.Stat(checkpoint); err != nil {
		t.Skip("no ../shared/reference beside the project: the reference checkpoint is not tried")
	}
	dir := t.TempDir()
	if err := ImportCheckpoint(checkpoint, dir, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	e, err := OpenDir(dir, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	agreeWithNeMo(t, e)
	for _, name := range []string{"g00", "g01", "g02", "g16", "g28"} {
		want := readFloats(t, filepath.Join(reference, "golden", name+".ctc_logprobs.npy"))
		got := encodeFile(t, e, filepath.Join(reference, "wav", name+".wav")).CTC.Data
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
		}
		worst := 0.0
		for i := range want {
			worst = max(worst, math.Abs(float64(got[i]-want[i])))
		}
		if t.Logf("%s: at most %.2g apart", name, worst); worst > 1e-3 {
			t.Errorf("%s: %g apart", name, worst)
		}
	}
}

// readFloats reads the float32 numbers of a NumPy file in row-major order.
func readFloats(t *testing.T, path string) []float32 {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data := b[10+int(binary.LittleEndian.Uint16(b[8:])):]
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

func agreeWithNeMo(t *testing.T, e *Engine) {
	t.Helper()
	files, dir := loadGolden(t)
	right, total := 0, 0
	for _, f := range files {
		enc := encodeFile(t, e, filepath.Join(dir, f.Wav))
		for name, want := range f.RNNT {
			run, ours := searches[name]
			if !ours {
				continue
			}
			got, err := run(t.Context(), e.model.NewNetwork(), enc.Joint)
			if err != nil {
				t.Fatal(err)
			}
			total++
			if name == "alsd4" {
				want[0].Frames = framesOfSteps(want[0].Frames)
			}
			if checkAgreement(t, f.Wav+" "+name, got[0], want[0]) {
				right++
			}
		}
		total++
		if checkAgreement(t, f.Wav+" ctc greedy", decode.CTCGreedy(enc.CTC), collapsePath(f.CTC["greedy"][0], len(e.model.Vocabulary))) {
			right++
		}
	}
	t.Logf("%d of %d hypotheses are NeMo's to the token and the frame, scores within 1e-3", right, total)
	if float64(right) < 0.999*float64(total) {
		t.Errorf("%d of %d agree, want 99.9 %%", right, total)
	}
}

func encodeFile(t *testing.T, e *Engine, path string) model.EncodedSpeech {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	samples, err := audio.DecodeAll(t.Context(), file, audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := admitRequest(t, e)
	u, err := r.acquirePermit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer u.ReleasePermit()
	enc, err := r.encodeSamples(t.Context(), u, samples)
	if err != nil {
		t.Fatal(err)
	}
	return enc
}

// admitRequest admits a request until the test ends.
func admitRequest(t *testing.T, e *Engine) *engineRequest {
	t.Helper()
	r, err := e.admitRequest(t.Context(), Live, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.leaveQueue(0) })
	return r
}

func checkAgreement(t *testing.T, what string, got decode.Hypothesis, want nemoAnswer) bool {
	t.Helper()
	if slices.Equal(got.Tokens, want.Tokens) && slices.Equal(got.Frames, want.Frames) && math.Abs(got.Score-want.Score) <= 1e-3 {
		return true
	}
	t.Logf("%s:\n got %v at %v, %.5f\nwant %v at %v, %.5f", what, got.Tokens, got.Frames, got.Score, want.Tokens, want.Frames, want.Score)
	return false
}

// framesOfSteps converts the steps that NeMo's alsd reports (frame plus number of tokens before) to frames.
func framesOfSteps(steps []int) []int {
	frames := slices.Clone(steps)
	for i := range frames {
		frames[i] -= i
	}
	return frames
}

// collapsePath merges repeats and drops blanks: NeMo returns an uncollapsed CTC path, one label per frame.
func collapsePath(path nemoAnswer, blank int) nemoAnswer {
	out := nemoAnswer{Text: path.Text, Score: path.Score}
	last := blank
	for i, id := range path.Tokens {
		if id != blank && id != last {
			out.Tokens, out.Frames = append(out.Tokens, id), append(out.Frames, i)
		}
		last = id
	}
	return out
}

// The default model ranks its beam with the CTC head's scores, except in mode rnnt.
func TestProductionRanksAsTheModelSays(t *testing.T) {
	e := openTest(t)
	p := e.productionPlan()
	if p.mode != Hybrid || p.strategy != malsdBatch || p.hybrid.CTCWeight != e.model.Decoding.CTCWeight || p.hybrid.CTCWeight == 0 {
		t.Errorf("plan = %s", p)
	}
	d, err := admitRequest(t, e).decodeChunk(t.Context(), speechChunk{samples: loadClip(t, "testdata/golden/g28.wav"), speech: 1}, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.ranked) == 0 || d.ranked[0].Total != d.ranked[0].RNNT+p.hybrid.CTCWeight*d.ranked[0].CTC {
		t.Errorf("ranking = %+v", d.ranked)
	}
}
