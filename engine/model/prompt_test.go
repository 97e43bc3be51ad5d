package model_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"munadi/engine/decode"
	"munadi/engine/model"
)

// promptedResult is what NeMo computes for one language; see make_prompted.py in testdata/checkpoints.
type promptedResult struct {
	Language     string
	Offline, CTC [][]float32
	Tokens       []int
	Streamed     []struct {
		Context []int
		Joint   [][]float32
		Whole   [][]float32 // offline
		Tokens  []int
	}
}

// A model with a prompt kernel must give NeMo's tokens for each language, offline and streamed with each context.
func TestPromptedCheckpointEqualsNeMo(t *testing.T) {
	b, err := os.ReadFile("testdata/checkpoints/prompted.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		expected
		Results []promptedResult
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	m := open(t, importFile(t, "testdata/checkpoints/prompted.nemo", model.ImportOptions{}))
	if got := m.LanguageNames(); !slices.Equal(got, []string{"ar", "ar-AR", "auto", "en", "en-US"}) || m.Prompts.Usual != "ar" {
		t.Fatalf("languages = %v, usually %q", got, m.Prompts.Usual)
	}
	for i, r := range want.Results {
		got, err := m.EncodeLanguage(t.Context(), want.spectrogram(), want.Frames, r.Language)
		if err != nil {
			t.Fatal(err)
		}
		compareJoint(t, m, r.Language, got, r.Offline, r.Tokens, 0)
		if d := apart(got.CTC.Data, slices.Concat(r.CTC...)); !(d <= 1e-3) {
			t.Errorf("%s: the CTC log-probabilities are %v apart", r.Language, d)
		}
		for _, s := range r.Streamed {
			span := model.AttentionSpan{Left: s.Context[0], Right: s.Context[1]}
			streamed := streamFrames(t, m, span, r.Language, want.expected)
			if streamed.T != len(s.Joint) {
				t.Fatalf("%s, %v: %d frames, NeMo streams %d", r.Language, s.Context, streamed.T, len(s.Joint))
			}
			if d := apart(streamed.Joint.Data, slices.Concat(s.Whole...)); !(d <= 1e-3) {
				t.Errorf("%s, %v: streamed %v apart from NeMo's offline run", r.Language, span, d)
			}
			// NeMo's stream differs a little from its offline run, and much in the last frame.
			streamed, _ = streamed.Split(streamed.T - 1)
			compareJoint(t, m, fmt.Sprint(r.Language, " streamed ", span), streamed, s.Joint[:streamed.T], s.Tokens, decode.GreedyDefaults().MaxSymbols)
		}
		if i > 0 && slices.Equal(r.Tokens, want.Results[0].Tokens) {
			t.Errorf("the tokens of %s and %s are the same: the prompt changes nothing", r.Language, want.Results[0].Language)
		}
	}
}

// compareJoint compares an encoder's output and its tokens with NeMo's, which may have up to more tokens at the end.
func compareJoint(
	t *testing.T, m *model.SpeechModel, what string, got model.EncodedSpeech, joint [][]float32, tokens []int, more int,
) {
	t.Helper()
	if d := apart(got.Joint.Data, slices.Concat(joint...)); !(d <= 1e-2) { // of numbers up to 10
		t.Errorf("%s: the encoder's output is %v apart", what, d)
	}
	h, err := decode.GreedySearch(t.Context(), m.NewNetwork(), got.Joint, decode.GreedyDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(h.Tokens); n > len(tokens) || n < len(tokens)-more || !slices.Equal(h.Tokens, tokens[:n]) {
		t.Errorf("%s: tokens %v, want %v", what, h.Tokens, tokens)
	}
}

// streamFrames encodes the synthetic spectrogram frame by frame.
func streamFrames(
	t *testing.T, m *model.SpeechModel, span model.AttentionSpan, language string, w expected,
) (e model.EncodedSpeech) {
	t.Helper()
	s, err := m.NewStream(span)
	if err != nil {
		t.Fatal(err)
	}
	s.Language = language
	mel, n := w.spectrogram(), w.Frames+1
	for frame := range w.Frames {
		column := make([]float32, w.Bands)
		for band := range column {
			column[band] = mel[band*n+frame]
		}
		s.PushMel(column)
		more, err := s.EncodeReady(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e.Append(more)
	}
	rest, err := s.EncodeRest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.Append(rest)
	return e
}

func TestLanguagesOfPrompts(t *testing.T) {
	t.Parallel()
	m := &model.SpeechModel{}
	m.Prompts = &model.PromptKernelConfig{Languages: map[string]int{"en-US": 0, "ar-AR": 7, "ar-EG": 8, "auto": 9}, Usual: "auto"}
	for language, want := range map[string]bool{
		"": true, "ar": true, "ar-AR": true, "AR-eg": true, "ar-SA": false, "en": true, "auto": true, "de": false, "a": false,
	} {
		if got := m.HasLanguage(language); got != want {
			t.Errorf("%q: %v, want %v", language, got, want)
		}
	}
	m.Prompts = nil
	if !m.HasLanguage("ar") || !m.HasLanguage("ar-SA") || m.HasLanguage("en") || m.HasLanguage("arz") {
		t.Error("a model without prompts has Arabic alone, of any locale")
	}
}
