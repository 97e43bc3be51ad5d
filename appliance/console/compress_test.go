package console

import (
	"strings"
	"testing"
)

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"gzip": true, "br, gzip, zstd": true, "deflate, GZIP;q=0.5": true, "gzip;q=1.0": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; q=0.0": false, "xgzip": false,
	} {
		if acceptsGzip(accept) != want {
			t.Errorf("%q accepts gzip: %v", accept, !want)
		}
	}
}

// TestTokensAreMasked checks that a masked token differs each time and is unmasked.
func TestTokensAreMasked(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 20 {
		masked := maskToken("secret-token")
		if seen[masked] || strings.Contains(masked, "secret") || unmaskToken(masked) != "secret-token" {
			t.Fatalf("%q is read as %q", masked, unmaskToken(masked))
		}
		seen[masked] = true
	}
	for _, text := range []string{"", "secret-token", ".", "zz.zz", "00.0000"} {
		if got := unmaskToken(text); got != text && text != "." {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}
