package ort_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	assetsort "munadi/assets/ort"
	"munadi/assets/vad"
	"munadi/engine/ort"
)

// loadRuntime loads ONNX Runtime once for the tests of this package.
func loadRuntime(t *testing.T) {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(filepath.Join(os.TempDir(), "munadi-test-ort"))
	if err != nil {
		t.Fatal(err)
	}
	if err := ort.LoadLibrary(path); err != nil {
		t.Fatal(err)
	}
}

func TestSessionRunsSilero(t *testing.T) {
	loadRuntime(t)
	silero, err := ort.NewSilero(vad.ModelBytes())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silero.Close() }()
	const frames = 7
	state := make([]float32, 128)
	probs, h, c, err := silero.RunVAD(t.Context(), make([]float32, frames*576), frames, state, state)
	if err != nil {
		t.Fatal(err)
	}
	if len(probs) != frames || len(h) != 128 || len(c) != 128 {
		t.Fatalf("sizes = %d, %d, %d, want %d, 128, 128", len(probs), len(h), len(c), frames)
	}
	for i, p := range probs {
		if p < 0 || p > 0.3 {
			t.Errorf("silence: probability %d = %v, want near 0", i, p)
		}
	}
}

// Weights are mapped on their own even after a session was closed, whose blocks are as large: each is given back when it
// is freed.
func TestWeightsAreGivenBack(t *testing.T) {
	loadRuntime(t)
	open := func() *ort.SileroVAD {
		s, err := ort.NewSilero(vad.ModelBytes())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if err := open().Close(); err != nil {
		t.Fatal(err)
	}
	before := ort.MappedBlocks()
	s := open()
	if during := ort.MappedBlocks(); during <= before {
		t.Errorf("%d blocks are mapped with a second session, %d without", during, before)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after := ort.MappedBlocks(); after != before {
		t.Errorf("%d blocks are mapped after the second session, %d before", after, before)
	}
}

func TestRunReturnsTheContextsError(t *testing.T) {
	loadRuntime(t)
	silero, err := ort.NewSilero(vad.ModelBytes())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silero.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	state := make([]float32, 128)
	if _, _, _, err := silero.RunVAD(ctx, make([]float32, 576), 1, state, state); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}

func TestNewSessionSaysThatAFileIsNoGraph(t *testing.T) {
	loadRuntime(t)
	if _, err := ort.NewSilero([]byte("no graph")); err == nil || !strings.Contains(err.Error(), "cannot load the graph") {
		t.Errorf("error = %v, want one that the graph cannot be loaded", err)
	}
}

func TestLoadKeepsTheFirstLibrary(t *testing.T) {
	loadRuntime(t)
	if err := ort.LoadLibrary("/somewhere/else.so"); err == nil || !strings.Contains(err.Error(), "already loaded") {
		t.Errorf("error = %v, want: already loaded", err)
	}
	if got := ort.LibraryVersion(); !strings.HasPrefix(got, "1.") {
		t.Errorf("version = %q", got)
	}
}

func TestUnpackChecksTheContent(t *testing.T) {
	t.Parallel()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := w.EncodeAll([]byte("hello"), nil)
	const hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	dir := t.TempDir()
	lib := ort.PackedLibrary{Zstd: packed, SHA256: hello, Version: "0"}
	path, _, err := lib.UnpackTo(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, damaged, err := lib.UnpackTo(dir); err != nil || !damaged {
		t.Fatal(damaged, err)
	}
	if b, _ := os.ReadFile(path); string(b) != "hello" {
		t.Errorf("a damaged library was left as it was: %q", b)
	}
	lib.SHA256 = strings.Repeat("0", 64)
	if _, _, err := lib.UnpackTo(dir); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error = %v, want a checksum error", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*-0000*")); len(left) != 0 {
		t.Errorf("a wrong library stayed behind: %v", left)
	}
}
