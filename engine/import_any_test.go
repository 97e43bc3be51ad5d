package engine_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine"
)

// changeWeights writes the small hybrid checkpoint with each member of its weights changed by change.
func changeWeights(t *testing.T, change func(name string, b []byte) []byte) string {
	t.Helper()
	in, err := os.ReadFile("model/testdata/checkpoints/hybrid.nemo")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, r := tar.NewWriter(&out), tar.NewReader(bytes.NewReader(in))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		b, err2 := io.ReadAll(r)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(h.Name, ".ckpt") {
			b = changeZip(t, b, change)
			h.Size = int64(len(b))
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "changed.nemo")
	if err := errors.Join(w.Close(), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

func changeZip(t *testing.T, in []byte, change func(name string, b []byte) []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		src, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(src)
		dst, err2 := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		if err := errors.Join(err, err2, src.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := dst.Write(change(f.Name, b)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Checkpoints with parts that the imported model would ignore are refused.
func TestImportRefusesWhatItWouldLeaveOut(t *testing.T) {
	const filters = 20 * 257 * 4 // bytes of the small checkpoint's mel filters, which are zero
	for name, c := range map[string]struct {
		change func(name string, b []byte) []byte
		want   string
	}{
		"sound": {func(_ string, b []byte) []byte { return b }, ""},
		"another module": {func(name string, b []byte) []byte {
			if strings.HasSuffix(name, "data.pkl") {
				b = bytes.Replace(b, []byte("preprocessor.featurizer.window"), []byte("prompt_kernel.in.linear.weight"), 1)
			}
			return b
		}, "prompt_kernel.in.linear.weight"},
		"other mel filters": {func(_ string, b []byte) []byte {
			if len(b) == filters && len(bytes.Trim(b, "\x00")) == 0 {
				b = bytes.Repeat([]byte{0, 0, 0, 0x3d}, filters/4)
			}
			return b
		}, "mel filters"},
	} {
		err := engine.ImportCheckpoint(changeWeights(t, c.change), t.TempDir(), engine.ImportOptions{})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want %q", name, err, c.want)
		}
	}
}
