package model_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"munadi/engine/decode"
	"munadi/engine/model"
)

// cachedExpected holds NeMo's results for cached.nemo; see testdata/checkpoints/make_cached.py.
type cachedExpected struct {
	expected
	Contexts []struct {
		Context                []int
		Offline, Streamed, CTC [][]float32
	}
	Exported [][]float32
}

func readCachedExpected(t testing.TB) cachedExpected {
	t.Helper()
	b, err := os.ReadFile("testdata/checkpoints/cached.json")
	if err != nil {
		t.Fatal(err)
	}
	var want cachedExpected
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// framesOf returns a spectrogram [F, n+1] frame by frame, [n, F], without the last one.
func framesOf(mel []float32, bands int) []float32 {
	n := len(mel)/bands - 1
	out := make([]float32, 0, n*bands)
	for t := range n {
		for f := range bands {
			out = append(out, mel[f*(n+1)+t])
		}
	}
	return out
}

// encodeInPieces streams feature frames [n, F], piece of them at a time.
func encodeInPieces(t testing.TB, m *model.SpeechModel, span model.AttentionSpan, mel []float32, piece int) model.EncodedSpeech {
	t.Helper()
	s, err := m.NewStream(span)
	if err != nil {
		t.Fatal(err)
	}
	var all model.EncodedSpeech
	for part := range slices.Chunk(mel, piece*m.Features) {
		s.PushMel(part)
		if _, err := s.EncodeRest(t.Context()); err != nil { // must not change the stream
			t.Fatal(err)
		}
		e, err := s.EncodeReady(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all.Append(e)
	}
	rest, err := s.EncodeRest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.Append(rest)
	return all
}

// Streaming equals NeMo's offline and step-by-step encoding, with each context that the model was trained with.
func TestStreamEqualsNeMo(t *testing.T) {
	want := readCachedExpected(t)
	m := open(t, importFile(t, "testdata/checkpoints/cached.nemo", model.ImportOptions{}))
	if got := m.Latencies(); !slices.Equal(got, []time.Duration{240e6, 480e6, 160e6, 80e6}) {
		t.Fatalf("latencies %v", got)
	}
	mel := framesOf(want.spectrogram(), want.Bands)
	whole, err := m.EncodeMel(t.Context(), want.spectrogram(), want.Frames)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want.Contexts {
		span := model.AttentionSpan{Left: w.Context[0], Right: w.Context[1]}
		for _, piece := range []int{1, 7, 40, 1000} {
			got := encodeInPieces(t, m, span, mel, piece)
			if d := apart(got.Joint.Data, slices.Concat(w.Offline...)); !(d <= 1e-4) {
				t.Errorf("%v, %d frames at once: %v apart from NeMo's offline run", span, piece, d)
			}
			n := len(w.Streamed) - 1 // NeMo's stream differs from its offline run at both ends
			if d := apart(got.Joint.Data[:n*got.Joint.J], slices.Concat(w.Streamed[:n]...)); !(d <= 1e-3) {
				t.Errorf("%v, %d frames at once: %v apart from NeMo's stream", span, piece, d)
			}
			if d := apart(got.CTC.Data[:n*got.CTC.Labels], slices.Concat(w.CTC[:n]...)); !(d <= 1e-3) {
				t.Errorf("%v, %d frames at once: CTC %v apart", span, piece, d)
			}
		}
		if d := apart(whole.Joint.Data, slices.Concat(w.Offline...)); i == 0 != (d <= 1e-4) {
			t.Errorf("%v: the whole utterance is %v apart; the first context is its own", span, d)
		}
	}
}

// NeMo's export with cache_support is recognized, and runs as NeMo runs it.
func TestExportWithCachesIsStreamed(t *testing.T) {
	want := readCachedExpected(t)
	m := open(t, "testdata/checkpoints/cached")
	if got := m.Latencies(); !slices.Equal(got, []time.Duration{240e6}) || m.Streaming.Taps != 8 || m.Streaming.Contexts[0].Left != 12 {
		t.Fatalf("latencies %v, %+v", got, m.Streaming)
	}
	if m.Preprocessor == nil || m.Preprocessor.Normalize != "none" {
		t.Errorf("features are normalized: %+v", m.Preprocessor)
	}
	span := m.Streaming.Contexts[0]
	mel := framesOf(want.spectrogram(), want.Bands)
	for _, piece := range []int{1, 50, 1000} {
		got := encodeInPieces(t, m, span, mel, piece)
		if d := apart(got.Joint.Data, slices.Concat(want.Exported...)); !(d <= 1e-4) {
			t.Errorf("%d frames at once: %v apart", piece, d)
		}
	}
	whole, err := m.EncodeMel(t.Context(), want.spectrogram(), want.Frames)
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(whole.Joint.Data, slices.Concat(want.Exported...)); !(d <= 1e-4) {
		t.Errorf("the whole utterance is %v apart", d)
	}
}

// Other forms than the published one: causal convolutions after a subsampling that is not causal, 8-bit weights.
func TestStreamEqualsWholeUtterance(t *testing.T) {
	for _, o := range []model.ImportOptions{{}, {Int8: true}} {
		for _, name := range []string{"cached", "streaming"} {
			m := open(t, importFile(t, "testdata/checkpoints/"+name+".nemo", o))
			mel := ramp(411)[:m.Features*412]
			whole, err := m.EncodeMel(t.Context(), mel, 411)
			if err != nil {
				t.Fatal(err)
			}
			got := encodeInPieces(t, m, m.Streaming.Contexts[0], framesOf(mel, m.Features), 11)
			limit := 1e-4
			if o.Int8 { // scales of activations are each run's own
				limit = 0.5
			}
			if d := apart(got.Joint.Data, whole.Joint.Data); got.T != whole.T || !(d <= limit) {
				t.Errorf("%s %+v: %d and %d frames, %v apart", name, o, got.T, whole.T, d)
			}
			if !o.Int8 {
				sameGreedy(t, m, got, whole)
			}
		}
	}
}

func sameGreedy(t *testing.T, m *model.SpeechModel, a, b model.EncodedSpeech) {
	t.Helper()
	x, err := decode.GreedySearch(t.Context(), m.NewNetwork(), a.Joint, decode.GreedyDefaults())
	if err != nil {
		t.Fatal(err)
	}
	y, err := decode.GreedySearch(t.Context(), m.NewNetwork(), b.Joint, decode.GreedyDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.Tokens, y.Tokens) || !slices.Equal(x.Frames, y.Frames) {
		t.Errorf("tokens %v at %v, want %v at %v", x.Tokens, x.Frames, y.Tokens, y.Frames)
	}
}

func TestModelsWithoutCachesRefuseStreams(t *testing.T) {
	m := open(t, importFile(t, "testdata/checkpoints/hybrid.nemo", model.ImportOptions{}))
	if _, err := m.NewStream(model.AttentionSpan{Left: 70, Right: 13}); err == nil || m.Latencies() != nil {
		t.Errorf("%v, latencies %v", err, m.Latencies())
	}
}
