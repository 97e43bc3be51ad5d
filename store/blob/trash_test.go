package blob_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTrash(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	recordFile(t, f, filepath.Join(dir, name), 1)
	day := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	if err := f.MoveToTrash(t.Context(), name, day); err != nil {
		t.Fatal(err)
	}
	for n := range f.ListNames(t.Context(), "") { //nolint:errcheck // a name is a fault, with an error or not
		t.Errorf("%q is still a recording", n)
	}
	if _, err := os.Stat(filepath.Join(dir, ".trash", "20261122", name)); err != nil {
		t.Error(err)
	}
	if err := f.MoveToTrash(t.Context(), "default/none.wav", day); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
	if err := f.MoveToTrash(t.Context(), "../x.wav", day); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no name: %v", err)
	}
	recordFile(t, f, filepath.Join(dir, name), 1)
	if err := f.MoveToTrash(t.Context(), name, day); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one of the name on one day: %v", err)
	}
	if err := f.MoveToTrash(t.Context(), name, day.AddDate(0, 0, 1)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		before time.Time
		left   int
	}{
		{day, 2}, {day.AddDate(0, 0, 1), 1}, {day.AddDate(0, 0, 2), 0}, {day.AddDate(1, 0, 0), 0},
	} {
		if left, err := f.ExpireTrash(t.Context(), c.before); err != nil || left != c.left {
			t.Errorf("before %v: %d are left, want %d, %v", c.before, left, c.left, err)
		}
	}
}

func TestOwner(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	if id, marked, err := f.ReadOwner(); id != "" || marked || err != nil {
		t.Errorf("a new folder belongs to %q, %t, %v", id, marked, err)
	}
	if err := f.SetOwner("one"); err != nil {
		t.Fatal(err)
	}
	if id, marked, err := f.ReadOwner(); id != "one" || !marked || err != nil {
		t.Errorf("a marked folder belongs to %q, %t, %v", id, marked, err)
	}
	for n := range f.ListNames(t.Context(), "") { //nolint:errcheck // a name is a fault, with an error or not
		t.Errorf("%q counts as a recording", n)
	}
	if err := os.WriteFile(filepath.Join(dir, ".installation"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if id, marked, err := f.ReadOwner(); id != "" || !marked || err != nil {
		t.Errorf("an accepted folder belongs to %q, %t, %v", id, marked, err)
	}
}
