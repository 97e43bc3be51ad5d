package ort_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"munadi/assets/ort"
)

func TestLibraryUnpacksToThePinnedChecksum(t *testing.T) {
	t.Parallel()
	packed, want, _ := ort.PackedLibrary()
	r, err := zstd.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("library's SHA-256 = %s, want %s", got, want)
	}
}

// The script pins the same version and checksums as the package; one must not move without the other.
func TestFetchScriptPinsTheSameLibrary(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../packaging/fetch-onnxruntime")
	if err != nil {
		t.Fatal(err)
	}
	_, sum, version := ort.PackedLibrary()
	for _, line := range []string{"version=" + version + "\n", "library=" + sum + "\n"} {
		if !strings.Contains(string(script), line) {
			t.Errorf("packaging/fetch-onnxruntime lacks %q", strings.TrimSpace(line))
		}
	}
}
