package auth_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/auth"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		key := auth.GenerateKey()
		if len(key) != 53 || !strings.HasPrefix(key, "mnd_") || !auth.IsGeneratedKey(key) || seen[key] {
			t.Fatalf("generated %q", key)
		}
		if got, err := auth.BearerToken("Bearer " + key); err != nil || got != key {
			t.Fatalf("its header reads as %q, %v", got, err)
		}
		seen[key] = true
	}
}

func TestChecksumNoticesEveryTypo(t *testing.T) {
	t.Parallel()
	key := auth.GenerateKey()
	for i := range len(key) {
		if typo := key[:i] + otherCharacter(key[i]) + key[i+1:]; auth.IsGeneratedKey(typo) {
			t.Errorf("a typo at %d passes", i)
		}
	}
	for i := 5; i < len(key); i++ {
		swapped := key[:i-1] + string(key[i]) + string(key[i-1]) + key[i+1:]
		if swapped != key && auth.IsGeneratedKey(swapped) {
			t.Errorf("two characters changed places at %d and pass", i)
		}
	}
}

func TestCheckBootstrapKey(t *testing.T) {
	t.Parallel()
	for key, ok := range map[string]bool{
		strings.Repeat("k", 16): true, strings.Repeat("k", 256): true, "pass phrase with spaces": true,
		strings.Repeat("م", 256): true, "~!@#$%^&*()_+{}|": true,
		"": false, strings.Repeat("k", 15): false, strings.Repeat("k", 257): false, strings.Repeat("م", 257): false,
		" leading-space-1234": false, "trailing-space-123 ": false, "line\nbreak-12345678": false,
		"nul\x00-1234567890123": false, "bad\xff-1234567890123": false,
	} {
		err := auth.CheckBootstrapKey(key)
		if (err == nil) != ok {
			t.Errorf("CheckBootstrapKey(%q): %v", key, err)
		}
		if err != nil && key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("the error repeats the key: %v", err)
		}
	}
}

func TestLoadSecret(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret.key")
	if _, err := auth.LoadSecret(path, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a secret that is missing and may not be made: %v", err)
	}
	first, err := auth.LoadSecret(path, true)
	if err != nil || first == (auth.InstallationSecret{}) {
		t.Fatalf("made %v", err)
	}
	if again, err := auth.LoadSecret(path, false); err != nil || again != first {
		t.Fatalf("read back another secret: %v", err)
	}
	if other := (auth.InstallationSecret{}); bytes.Equal(first.CheckValue(), other.CheckValue()) || bytes.Contains(first.CheckValue(), first[:8]) {
		t.Error("the check value is another secret's, or holds the secret")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its file has mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := auth.LoadSecret(path, true); err == nil || strings.Contains(err.Error(), "short") {
		t.Errorf("a damaged secret: %v", err)
	}
	if _, err := auth.LoadSecret(filepath.Join(t.TempDir(), "missing", "secret.key"), true); err == nil {
		t.Error("made a secret in no folder")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q"} {
		if printed := fmt.Sprintf(verb, first); printed != "(secret)" {
			t.Errorf("%s prints the secret: %s", verb, printed)
		}
	}
}

// FuzzBearer checks that any header is refused, or gives a key that the same header would contain.
func FuzzBearer(f *testing.F) {
	for _, seed := range []string{
		"", "Bearer", "Bearer ", "bearer 0123456789abcdef", "BEARER\t0123456789abcdef", "Basic dXNlcjpwYXNz",
		"Bearer  two words and more ", "Bearer \x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f",
		"Bearer " + strings.Repeat("k", 257), "Bearer مفتاح-مفتاح-مفتاح", "Bearer \xff\xfe456789abcdef0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, err := auth.BearerToken(value)
		if err != nil {
			var refusal *auth.KeyRefusal
			if key != "" || !errors.As(err, &refusal) {
				t.Fatalf("Bearer(%q) = %q, %v", value, key, err)
			}
			return
		}
		if auth.CheckBootstrapKey(key) != nil || !strings.Contains(value, key) {
			t.Fatalf("Bearer(%q) = %q", value, key)
		}
		if again, err := auth.BearerToken("Bearer " + key); err != nil || again != key {
			t.Fatalf("%q reads back as %q, %v", key, again, err)
		}
	})
}
