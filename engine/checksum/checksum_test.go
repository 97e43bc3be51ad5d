package checksum_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/checksum"
)

const sumOfHello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

func TestUnpackFileRefusesADamagedProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "file")
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("hallo")), nil }
	if _, err := checksum.UnpackFile(path, sumOfHello, 0o600, open); err == nil || !strings.Contains(err.Error(), "install munadi again") {
		t.Errorf("error = %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

// TestEveryDamageOfAFolderIsFound changes a folder whose checksums are recorded, also the list itself.
func TestEveryDamageOfAFolderIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		harm func(dir string) error
		file string // that is named; empty: nothing is wrong
	}{
		"nothing":    {func(string) error { return nil }, ""},
		"may appear": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "mark"), nil, 0o600) }, ""},
		"subfolder":  {func(dir string) error { return os.Mkdir(filepath.Join(dir, "docs"), 0o700) }, ""},
		"flipped":    {func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("hallo"), 0o600) }, "a"},
		"cut":        {func(dir string) error { return os.Truncate(filepath.Join(dir, "a"), 4) }, "a"},
		"missing":    {func(dir string) error { return os.Remove(filepath.Join(dir, "b")) }, "b"},
		"added":      {func(dir string) error { return os.WriteFile(filepath.Join(dir, "c"), nil, 0o600) }, "c"},
		"empty list": {func(dir string) error { return os.Truncate(filepath.Join(dir, checksum.ListFile), 0) }, "a"},
		"cut list":   {func(dir string) error { return os.Truncate(filepath.Join(dir, checksum.ListFile), 20) }, checksum.ListFile},
		"other list": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, checksum.ListFile), []byte(sumOfHello+"  a\n"+sumOfHello+"  b\n"), 0o600)
		}, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{"a": "hello", "b": "text"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, listed, err := checksum.VerifyFolder(dir); listed || err != nil {
				t.Fatalf("a folder without a list: %v, %v", listed, err)
			}
			if err := errors.Join(checksum.RecordFolder(dir, "recorded today"), c.harm(dir)); err != nil {
				t.Fatal(err)
			}
			comment, listed, err := checksum.VerifyFolder(dir, "mark")
			var damaged *checksum.DamagedError
			switch {
			case !listed:
				t.Error("the list was not found")
			case c.file == "" && (err != nil || comment != "recorded today"):
				t.Errorf("%q, %v", comment, err)
			case c.file != "" && (!errors.As(err, &damaged) || damaged.File != c.file):
				t.Errorf("error = %v, want one of %s", err, c.file)
			}
		})
	}
}
