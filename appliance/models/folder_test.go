package models_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/models"
)

func modelFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"vocab.txt": "a 0\n", "encoder-model.onnx": "weights"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "vocab.txt"), filepath.Join(dir, "tokens.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestInstallUseAndBack(t *testing.T) {
	t.Parallel()
	s := models.OpenFolder(t.TempDir())
	if path, err := s.CurrentModel(); err != nil || path != "" {
		t.Fatalf("at first: %q, %v, want the built-in model", path, err)
	}
	path, err := s.InstallModel(modelFolder(t), "large-1", map[string][]byte{"note.json": []byte("new"), "vocab.txt": []byte("b 0\n")})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(path, "tokens.txt")); err != nil || string(b) != "a 0\n" {
		t.Errorf("a linked file came as %q, %v", b, err)
	}
	for file, want := range map[string]string{"note.json": "new", "vocab.txt": "b 0\n"} {
		if b, err := os.ReadFile(filepath.Join(path, file)); err != nil || string(b) != want {
			t.Errorf("%s, a note, is %q, %v", file, b, err)
		}
	}
	if err := s.CheckNameFree("large-1"); err == nil || !strings.Contains(err.Error(), "--name") {
		t.Errorf("the name is free: %v", err)
	}
	if err := s.CheckNameFree("large-2"); err != nil {
		t.Error(err)
	}
	if current, err := s.CurrentModel(); err != nil || current != "" {
		t.Errorf("installing alone changed the current model: %q, %v", current, err)
	}
	if err := s.UseModel("large-1"); err != nil {
		t.Fatal(err)
	}
	if current, err := s.CurrentModel(); err != nil || current != path {
		t.Errorf("current = %q, %v, want %q", current, err, path)
	}
	for range 2 {
		if err := s.UseModel(""); err != nil {
			t.Errorf("back to the built-in model: %v", err)
		}
	}
	if current, err := s.CurrentModel(); err != nil || current != "" {
		t.Errorf("after going back: %q, %v", current, err)
	}
	if got := s.InstalledNames(); !slices.Equal(got, []string{"large-1"}) {
		t.Errorf("names = %q", got)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := models.OpenFolder(data)
	for _, name := range []string{"", ".", "..", "../x", "a/b", "current", ".hidden", strings.Repeat("x", 65)} {
		if _, err := s.InstallModel(modelFolder(t), name, nil); err == nil {
			t.Errorf("installed as %q", name)
		}
	}
	for name, spoil := range map[string]func(string) error{
		"file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"link": func(path string) error { return os.Symlink("nowhere", path) },
	} {
		if err := errors.Join(os.MkdirAll(s.Folder(""), 0o700), spoil(s.Folder(name))); err != nil {
			t.Fatal(err)
		}
		if err := s.CheckNameFree(name); err == nil || !strings.Contains(err.Error(), "exists but is not a model") {
			t.Errorf("the name of a %s is free: %v", name, err)
		}
	}
	if _, err := s.InstallModel(filepath.Join(data, "nowhere"), "x", nil); err == nil {
		t.Error("installed a folder that is not there")
	}
	if err := s.UseModel("y"); err == nil || !strings.Contains(err.Error(), "installed: none") {
		t.Errorf("use where none is: %v", err)
	}
	if _, err := s.InstallModel(modelFolder(t), "x", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.InstallModel(modelFolder(t), "x", nil); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second one of the same name: %v", err)
	}
	if err := s.UseModel("y"); err == nil || !strings.Contains(err.Error(), "installed: x") {
		t.Errorf("use of one that is not there: %v", err)
	}
	if err := s.UseModel("x"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(data, "models", "x")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CurrentModel(); err == nil || !strings.Contains(err.Error(), "munadi model use") {
		t.Errorf("the current model is gone: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(data, "models", ".incoming-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
