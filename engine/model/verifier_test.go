package model_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/model"
)

// withVerifier is a copy of the default model whose munadi.json says this of its word verifier, without some files.
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
	description["word_verifier"] = verifier
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
		"want 2 to":              {"words": []string{"نعم"}},
		"has 3 classes, want 4:": {"words": []string{"نعم", "لا", "ربما"}},
		"log_priors has 1 numbers, want one for each of 2 words": {
			"words": []string{"نعم", "لا"}, "log_priors": []float64{1},
		},
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
	f := withVerifier(t, map[string]any{"words": []string{"نعم", "لا"}}, "word-verifier.onnx")
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
	f := withVerifier(t, map[string]any{"words": []string{"نعم", "لا"}})
	m, err := model.OpenModel(f, model.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	scores, err := m.Verifier.ScoreWords(t.Context(), make([]float32, m.Features*61), 60)
	if err != nil {
		t.Fatal(err)
	}
	if len(scores) != 3 || scores[2] < scores[0] || scores[2] < scores[1] {
		t.Errorf("silence scores %v as yes, no and another; want it to be another", scores)
	}
}
