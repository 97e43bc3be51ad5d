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

// InstallationSecret is the installation's own: the key under which API keys are hashed. Without it, the database's hashes are
// of no use to anybody, its owner included.
type InstallationSecret [32]byte

// KeyHash is the keyed hash of an API key.
type KeyHash [sha256.Size]byte

// checkPurpose is the purpose under which [InstallationSecret.CheckValue] is derived.
const checkPurpose = "secret check"

// LoadSecret reads the secret from its file. Without a file it makes one (0600, on disk before it is used) if create is
// true, and fails with fs.ErrNotExist if not. The caller has the database open, so that no other process makes one at
// the same time. A file of another length is an error: guessing would orphan every key.
func LoadSecret(path string, create bool) (InstallationSecret, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && create {
		return makeSecret(path)
	}
	if err != nil {
		return InstallationSecret{}, fmt.Errorf("read the installation's secret: %w", err)
	}
	var secret InstallationSecret
	if len(content) != len(secret) {
		return InstallationSecret{}, fmt.Errorf("the installation's secret %s has %d bytes, not %d", path, len(content), len(secret))
	}
	copy(secret[:], content)
	return secret, nil
}

// makeSecret writes a new one.
func makeSecret(path string) (InstallationSecret, error) {
	var secret InstallationSecret
	_, _ = rand.Read(secret[:]) // never fails: the program ends first
	if err := renameio.WriteFile(path, secret[:], 0o600); err != nil {
		return InstallationSecret{}, fmt.Errorf("make the installation's secret: %w", err)
	}
	return secret, nil
}

// CheckValue is a value derived from the secret, one way, that is kept in the store: it tells a wrong secret.
func (s InstallationSecret) CheckValue() []byte {
	check := s.DeriveKey(checkPurpose)
	return check[:]
}

// HashKey is the HMAC-SHA-256 of key under the secret.
func (s InstallationSecret) HashKey(key string) KeyHash {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(key))
	return KeyHash(mac.Sum(nil))
}

// Format keeps the secret out of messages, whatever the verb.
func (InstallationSecret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue keeps it out of logs.
func (InstallationSecret) LogValue() slog.Value { return slog.StringValue(hidden) }

// hidden is what stands for a secret.
const hidden = "(secret)"
