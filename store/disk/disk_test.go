package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRoom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state DiskState
		says  string
	}{
		"enough":                   {DiskState{Free: 64 << 20, Files: 1000, counts: true}, ""},
		"does not count its files": {DiskState{Free: 64 << 20}, ""},
		"full":                     {DiskState{Free: 64<<20 - 1}, "full: 63 MiB are free"},
		"no more files":            {DiskState{Free: 64 << 20, Files: 3, counts: true}, "3 more files"},
		"read-only":                {DiskState{Free: 64 << 20, ReadOnly: true}, "read-only"},
	} {
		err := c.state.CheckRoom(64 << 20)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	s, err := ReadState(t.TempDir())
	if err != nil || s.Size == 0 || s.Free > s.Size || s.ReadOnly {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := ReadState("/nowhere/at/all"); err == nil {
		t.Error("looked at nothing")
	}
}

func TestSizeOf(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name string, bytes int) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, bytes), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("all/one", 1)
	write("all/deep/two", 20)
	for link, target := range map[string]string{
		"all/linked": write("beside", 300), "all/broken": "nowhere", "folder": filepath.Join(folder, "all"),
	} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]int64{
		file: 1, filepath.Join(folder, "all"): 321, filepath.Join(folder, "folder"): 321, filepath.Join(folder, "none"): 0,
	} {
		if got := SizeOf(path); got != want {
			t.Errorf("%s: %d bytes, want %d", path, got, want)
		}
	}
}
