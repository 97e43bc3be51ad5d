package installation_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/installation"
)

// TestPrepareData: a new folder is the user's own, and one that every user may write to is reported.
func TestPrepareData(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mode  os.FileMode // of the existing folder; 0: there is none
		want  os.FileMode
		warns bool
	}{
		"new": {0, 0o700, false}, "own": {0o750, 0o750, false}, "of the group": {0o770, 0o770, false},
		"of everyone": {0o777, 0o777, true}, "sticky": {0o777 | os.ModeSticky, 0o777, false},
	} {
		var log bytes.Buffer
		data := filepath.Join(t.TempDir(), "data")
		if c.mode != 0 {
			if err := os.Mkdir(data, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(data, c.mode); err != nil { //nolint:gosec // what the test is about
				t.Fatal(err)
			}
		}
		if err := installation.PrepareData(data, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(data); err != nil || info.Mode().Perm() != c.want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		if warned := strings.Contains(log.String(), "chmod o-w "+data); warned != c.warns {
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}
