// Package assets_test checks that what we ship is what SOURCES says, so that no file comes in without its licence.
package assets_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	listing = regexp.MustCompile(`(?m)^([0-9a-f]{64})  (\S+)$`)
	foreign = []string{
		".bin", ".flac", ".g722", ".gif", ".gz", ".ico", ".jpg", ".model", ".mp3", ".ogg", ".onnx", ".opus", ".otf", ".png", ".so",
		".ttf", ".ulaw", ".wav", ".webm", ".webp", ".woff", ".woff2",
	}
)

func TestListedFilesHaveTheirChecksum(t *testing.T) {
	t.Parallel()
	for name, want := range listSources(t) {
		if strings.HasSuffix(name, "/libonnxruntime.so") {
			continue // packed and fetched, not committed: assets/ort's own test
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: SHA-256 = %s, SOURCES says %s", name, got, want)
		}
	}
}

func TestEveryForeignFileIsListed(t *testing.T) {
	t.Parallel()
	names := listSources(t)
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && slices.Contains(foreign, path.Ext(name)) && names[name] == "" {
			t.Errorf("%s is shipped, but SOURCES does not say where it comes from", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// listSources returns SOURCES as checksums by file name.
func listSources(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("SOURCES")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, m := range listing.FindAllStringSubmatch(string(text), -1) {
		names[m[2]] = m[1]
	}
	if len(names) == 0 {
		t.Fatal("SOURCES lists nothing")
	}
	return names
}
