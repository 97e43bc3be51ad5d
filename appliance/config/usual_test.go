package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUsualFiles checks that the working directory's file overrides the system's, and that both are optional.
func TestUsualFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	working, system := filepath.Join(dir, "working.yaml"), filepath.Join(dir, "system.yaml")
	if f := loadDefaultFile(working, system); len(f.values) != 0 || len(f.faults) != 0 {
		t.Errorf("without any: %+v", f)
	}
	for _, path := range []string{system, working} { // from the one that counts least
		if err := os.WriteFile(path, []byte("data: "+path+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := loadDefaultFile(working, system); f.path != path || f.values["data"].text != path {
			t.Errorf("with %s: %+v", path, f)
		}
	}
	if err := os.Remove(working); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(working, 0o700); err != nil {
		t.Fatal(err)
	}
	if f := loadDefaultFile(working, system); len(f.faults) == 0 {
		t.Error("a folder where the file should be was passed over")
	}
}
