package tokenizer_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/engine/tokenizer"
)

// goldenAnswers are the results of sentencepiece: see testdata/make_golden.py.
type goldenAnswers struct {
	Texts  []string
	Bad    []string // not UTF-8, in hexadecimal
	Models map[string]readAnswers
}

type readAnswers struct {
	IDs [][]int
	Bad [][]int
}

func readGolden(t *testing.T) goldenAnswers {
	t.Helper()
	var g goldenAnswers
	if err := json.Unmarshal(readFile(t, "golden.json"), &g); err != nil {
		t.Fatal(err)
	}
	for i, b := range g.Bad {
		raw, err := hex.DecodeString(b)
		if err != nil {
			t.Fatal(err)
		}
		g.Bad[i] = string(raw)
	}
	return g
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// readVocabulary reads the pieces of a vocabulary file without the blank.
func readVocabulary(t *testing.T) []string {
	t.Helper()
	var pieces []string
	for line := range strings.Lines(string(readFile(t, "vocab.txt"))) {
		piece, _, _ := strings.Cut(line, " ")
		pieces = append(pieces, piece)
	}
	return pieces[:len(pieces)-1]
}

func TestSentencePieceModels(t *testing.T) {
	t.Parallel()
	g := readGolden(t)
	if len(g.Models) != 6 || len(g.Texts) < 300 {
		t.Fatalf("%d models, %d texts", len(g.Models), len(g.Texts))
	}
	for name, want := range g.Models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tok, err := tokenizer.FromSentencePiece(readFile(t, name))
			if err != nil {
				t.Fatal(err)
			}
			compareTokens(t, tok, g, want)
		})
	}
}

// TestVocabularyAlone: the order of the reference model's pieces gives the same results as its model file.
func TestVocabularyAlone(t *testing.T) {
	t.Parallel()
	g := readGolden(t)
	tok := tokenizer.FromVocab(readVocabulary(t))
	if tok.VocabularySize() != 256 {
		t.Errorf("%d pieces, want 256", tok.VocabularySize())
	}
	compareTokens(t, tok, g, g.Models["reference.model"])
}

func compareTokens(t *testing.T, tok *tokenizer.Tokenizer, g goldenAnswers, want readAnswers) {
	t.Helper()
	for i, text := range g.Texts {
		if got := tok.EncodeText(text); !slices.Equal(got, want.IDs[i]) {
			t.Errorf("Encode(%q)\n got %v\nwant %v", text, got, want.IDs[i])
		}
	}
	for i, text := range g.Bad {
		if got := tok.EncodeText(text); !slices.Equal(got, want.Bad[i]) {
			t.Errorf("Encode(%q)\n got %v\nwant %v", text, got, want.Bad[i])
		}
	}
}
