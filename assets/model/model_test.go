package model_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"testing"

	"munadi/assets/model"
)

func TestEveryFileHasTheChecksumThatTheBundleNames(t *testing.T) {
	t.Parallel()
	words, err := fs.ReadFile(model.BundleFS(), "munadi.json")
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Label map[string][]string
		Files map[string]string
	}
	if err := json.Unmarshal(words, &described); err != nil {
		t.Fatal(err)
	}
	if len(described.Label["ar"]) == 0 || len(described.Label["en"]) == 0 {
		t.Error("munadi.json must say in Arabic and in English what the model can't do")
	}
	entries, err := fs.ReadDir(model.BundleFS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(described.Files), len(entries)-1; got != want {
		t.Errorf("munadi.json names %d files, the bundle has %d beside it", got, want)
	}
	for name, want := range described.Files {
		data, err := fs.ReadFile(model.BundleFS(), name)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: SHA-256 = %s, want %s", name, got, want)
		}
	}
}
