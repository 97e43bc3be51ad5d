package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/google/renameio/v2"
)

// Secret is the installation's own: the key under which API keys are hashed. Without it, the database's hashes are
// of no use to anybody, its owner included.
type Secret [32]byte

// Hash is the keyed hash of an API key.
type Hash [sha256.Size]byte

// checkPurpose is the purpose under which [Secret.Check] is derived.
const checkPurpose = "secret check"

// LoadSecret reads the secret from its file. Without a file it makes one (0600, on disk before it is used) if create is
// true, and fails with fs.ErrNotExist if not. The caller has the database open, so that no other process makes one at
// the same time. A file of another length is an error: guessing would orphan every key.
func LoadSecret(path string, create bool) (Secret, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && create {
		return makeSecret(path)
	}
	if err != nil {
		return Secret{}, fmt.Errorf("read the installation's secret: %w", err)
	}
	var secret Secret
	if len(content) != len(secret) {
		return Secret{}, fmt.Errorf("the installation's secret %s has %d bytes, not %d", path, len(content), len(secret))
	}
	copy(secret[:], content)
	return secret, nil
}

// makeSecret writes a new one.
func makeSecret(path string) (Secret, error) {
	var secret Secret
	_, _ = rand.Read(secret[:]) // never fails: the program ends first
	if err := renameio.WriteFile(path, secret[:], 0o600); err != nil {
		return Secret{}, fmt.Errorf("make the installation's secret: %w", err)
	}
	return secret, nil
}

// Check is a value derived from the secret, one way, that is kept in the store: it tells a wrong secret.
func (s Secret) Check() []byte {
	check := s.Derive(checkPurpose)
	return check[:]
}

// Hash is the HMAC-SHA-256 of key under the secret.
func (s Secret) Hash(key string) Hash {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(key))
	return Hash(mac.Sum(nil))
}

// Format keeps the secret out of messages, whatever the verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue keeps it out of logs.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// hidden is what stands for a secret.
const hidden = "(secret)"
