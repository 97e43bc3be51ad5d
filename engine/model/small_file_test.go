package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"munadi/engine/model"
)

// A pipe or a device in place of a vocabulary is refused: reading it could block forever.
func TestSmallFilesAreRegularFiles(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(string) error{
		"pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(bundle)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "vocab.txt")
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			f, err := model.FolderAt(dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := model.OpenModel(f, model.ModelOptions{Threads: 1}); err == nil || !strings.Contains(err.Error(), "regular file") {
				t.Errorf("error = %v", err)
			}
		})
	}
}
