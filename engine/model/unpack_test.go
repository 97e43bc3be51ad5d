package model_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"munadi/engine/model"
)

// TestUnpackBundleAtOnce: processes that start concurrently with one cache folder all find the complete bundle; none
// removes files that another has opened.
func TestUnpackBundleAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	bundled := fstest.MapFS{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		bundled[name] = &fstest.MapFile{Data: make([]byte, 1<<16)}
	}
	for range 20 {
		dir := t.TempDir()
		var all sync.WaitGroup
		begin := make(chan struct{})
		for range 8 {
			all.Go(func() {
				<-begin
				if _, _, err := model.UnpackBundle(bundled, dir); err != nil {
					t.Error(err)
				}
				found, err := filepath.Glob(filepath.Join(dir, "model-*", "[a-h]"))
				if err != nil || len(found) != len(bundled) {
					t.Errorf("%d of %d files are there: %v", len(found), len(bundled), err)
				}
			})
		}
		close(begin)
		all.Wait()
	}
}

// TestUnpackBundleOverDamage: a file that is missing, cut or of the same size with another content is unpacked again.
func TestUnpackBundleOverDamage(t *testing.T) {
	t.Parallel()
	bundled, dir := fstest.MapFS{"a": &fstest.MapFile{Data: []byte("sound")}, "b": &fstest.MapFile{Data: []byte("text")}}, t.TempDir()
	if _, damaged, err := model.UnpackBundle(bundled, dir); err != nil || len(damaged) != 0 {
		t.Fatal(damaged, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "model-*", "b"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	for name, harm := range map[string]func(string) error{
		"missing": os.Remove,
		"cut":     func(path string) error { return os.Truncate(path, 2) },
		"flipped": func(path string) error { return os.WriteFile(path, []byte("tezt"), 0o600) },
	} {
		if err := harm(found[0]); err != nil {
			t.Fatal(err)
		}
		_, damaged, err := model.UnpackBundle(bundled, dir)
		if err != nil || slices.Equal(damaged, found) == (name == "missing") {
			t.Errorf("%s: %v, %v", name, damaged, err)
		}
		if b, err := os.ReadFile(found[0]); err != nil || string(b) != "text" {
			t.Errorf("%s: b holds %q, %v", name, b, err)
		}
	}
}
