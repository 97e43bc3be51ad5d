package kit

import (
	"strings"
	"testing"
)

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
