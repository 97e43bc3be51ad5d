package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"munadi/engine/decode"
)

// 8-bit weights give the text and the RNNT tokens of fp32 in at least 39 of the 40 reference recordings.
func TestInt8GivesTheTokensOfFP32(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes forty recordings four times")
	}
	if _, err := os.Stat(reference); err != nil {
		t.Skip("no ../shared/reference beside the project: its recordings are not decoded")
	}
	files, dir := loadGolden(t)
	to := t.TempDir()
	if err := QuantizeFolder(weights, to); err != nil {
		t.Fatal(err)
	}
	quantized, err := OpenDir(to, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = quantized.Close() })
	full, err := OpenDir(weights, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = full.Close() })
	var same [3]int
	for _, f := range files {
		path := filepath.Join(dir, f.Wav)
		a, b := greedyTokens(t, quantized, path), greedyTokens(t, full, path)
		if transcribeFile(t, quantized, path) == transcribeFile(t, full, path) {
			same[2]++
		}
		for head := range a {
			if slices.Equal(a[head], b[head]) {
				same[head]++
			}
		}
	}
	t.Logf("as fp32: RNNT tokens %d, CTC tokens %d, texts %d of %d", same[0], same[1], same[2], len(files))
	if least := len(files) * 39 / 40; same[0] < least || same[2] < least {
		t.Errorf("RNNT tokens of %d, texts of %d of %d files are those of fp32", same[0], same[2], len(files))
	}
}

// greedyTokens returns a file's tokens by the RNNT and by the CTC head.
func greedyTokens(t *testing.T, e *Engine, path string) [2][]int {
	t.Helper()
	enc := encodeFile(t, e, path)
	h, err := decode.GreedySearch(t.Context(), e.model.NewNetwork(), enc.Joint, decode.GreedyDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return [2][]int{h.Tokens, decode.CTCGreedy(enc.CTC).Tokens}
}

func transcribeFile(t *testing.T, e *Engine, path string) string {
	t.Helper()
	res, err := e.Transcribe(t.Context(), &memoryClip{samples: loadClip(t, path)}, TranscribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Text
}
