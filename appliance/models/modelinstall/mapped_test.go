package modelinstall

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMappedWhereWeightsGrow checks that weights stay in their file for the test only if they are much larger than the
// original, be it a checkpoint or a folder: else an 8-bit form would be measured slower than it serves.
func TestMappedWhereWeightsGrow(t *testing.T) {
	t.Parallel()
	sparse := func(size int64) string {
		path := filepath.Join(t.TempDir(), "weights")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	original := sparse(4 * mappedFrom)
	for name, c := range map[string]struct {
		path    string
		weights int64
		want    bool
	}{
		"8 bits of a folder": {filepath.Dir(original), mappedFrom + 1, false},
		"8 bits of a file":   {original, mappedFrom + 1, false},
		"widened":            {original, 8 * mappedFrom, true},
		"small":              {sparse(1), mappedFrom - 1, false},
	} {
		if got, err := markMapped(filepath.Dir(sparse(c.weights)), c.path); err != nil || got != c.want {
			t.Errorf("%s: mapped %v, %v, want %v", name, got, err, c.want)
		}
	}
}
