package metrics

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAnonymousMemoryIsRead(t *testing.T) {
	t.Parallel()
	status := filepath.Join(t.TempDir(), "status")
	for text, want := range map[string]float64{
		"Name:\tmunadi\nVmRSS:\t  555000 kB\nRssAnon:\t  126000 kB\nRssFile:\t  429000 kB\n": 126000 * 1024,
		"Name:\tmunadi\n": 0, "RssAnon:\tmuch kB\n": 0,
	} {
		if err := os.WriteFile(status, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := anonymousBytes(status); got != want {
			t.Errorf("%q: %v bytes, want %v", text, got, want)
		}
	}
	if got := anonymousBytes(status + ".missing"); got != 0 {
		t.Errorf("without a file: %v bytes", got)
	}
}
