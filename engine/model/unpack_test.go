package model_test

import (
	"io/fs"
	"os"
	"path/filepath"
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
				if _, err := model.UnpackBundle(bundled, dir); err != nil {
					t.Error(err)
				}
				found, err := filepath.Glob(filepath.Join(dir, "model-*", "*"))
				if err != nil || len(found) != len(bundled) {
					t.Errorf("%d of %d files are there: %v", len(found), len(bundled), err)
				}
			})
		}
		close(begin)
		all.Wait()
	}
}

// TestUnpackBundleOverIncomplete: a folder with a missing or incomplete file is replaced.
func TestUnpackBundleOverIncomplete(t *testing.T) {
	t.Parallel()
	bundled, dir := fstest.MapFS{"a": &fstest.MapFile{Data: []byte("sound")}, "b": &fstest.MapFile{Data: []byte("text")}}, t.TempDir()
	for range 2 {
		if _, err := model.UnpackBundle(bundled, dir); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(dir, "model-*"))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		if b, err := fs.ReadFile(os.DirFS(found[0]), "b"); err != nil || string(b) != "text" {
			t.Errorf("b holds %q, %v", b, err)
		}
		if err := os.WriteFile(filepath.Join(found[0], "b"), []byte("te"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
