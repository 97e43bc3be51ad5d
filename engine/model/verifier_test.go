package model_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/engine/model"
)

// withVerifier returns a copy of the default model with another word_verifier in munadi.json, without some files.
func withVerifier(t *testing.T, verifier map[string]any, without ...string) model.ModelFolder {
	t.Helper()
	load(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../assets/model/bundle")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "munadi.json")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var description map[string]any
	if err := json.Unmarshal(b, &description); err != nil {
		t.Fatal(err)
	}
	described := description["word_verifier"].(map[string]any)
	maps.Copy(described, verifier)
	if b, err = json.Marshal(description); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range without {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := model.FolderAt(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestVerifierMustFitItsWords(t *testing.T) {
	t.Parallel()
	for want, described := range map[string]map[string]any{
		"has 1 words, want 2 to": {"words": []string{"لا"}},
		"has 42 classes, want 4": {"words": []string{"نعم", "لا", "ربما"}},
		"log_priors names \"ربما\", which is not one": {
			"log_priors": map[string]float64{"ربما": 1},
		},
		"has 1e+09 for \"لا\", want -20 to 20": {"log_priors": map[string]float64{"لا": 1e9}},
		"has -21 for \"لا\", want -20 to 20":   {"log_priors": map[string]float64{"لا": -21}},
	} {
		m, err := model.OpenModel(withVerifier(t, described), model.ModelOptions{})
		if err == nil {
			_ = m.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a verifier %v: %v, want %q", described, err, want)
		}
	}
}

func TestVerifierFileIsMissing(t *testing.T) {
	t.Parallel()
	f := withVerifier(t, nil, "word-verifier.onnx")
	m, err := model.OpenModel(f, model.ModelOptions{})
	if err == nil {
		_ = m.Close()
	}
	if err == nil || !strings.HasPrefix(err.Error(), "the folder has no word-verifier.onnx") {
		t.Errorf("without its verifier: %v, want the missing file to be named", err)
	}
}

func TestVerifierKnowsSilenceFromAnswers(t *testing.T) {
	t.Parallel()
	f := withVerifier(t, nil)
	m, err := model.OpenModel(f, model.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	scores, err := m.Verifier.ScoreWords(t.Context(), make([]float32, m.Features*61), 60)
	if err != nil {
		t.Fatal(err)
	}
	words := m.Verifier.Words
	yes, no := slices.Index(words, "نعم"), slices.Index(words, "لا")
	if len(scores) != len(words)+1 || max(scores[yes], scores[no]) > scores[len(words)] {
		t.Errorf("silence scores %v as yes, no and the others; want neither yes nor no", scores)
	}
}
