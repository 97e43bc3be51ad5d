package auth

import (
	"crypto/hkdf"
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

// InstallationSecret is the installation's secret key, from which the hashes of API keys and sessions are derived.
// Without it the hashes in the database are useless, also to the operator.
type InstallationSecret [32]byte

// KeyHash is the keyed hash of an API key.
type KeyHash [sha256.Size]byte

// checkPurpose is the DeriveKey purpose of [InstallationSecret.CheckValue].
const checkPurpose = "secret check"

// LoadSecret reads the secret from its file. Without a file it creates one (0600, synced before use) if create is
// true, and fails with fs.ErrNotExist if not. The caller has the database open, so that no other process creates one
// at the same time. A file of another length is an error: a new secret would invalidate every key.
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
		return InstallationSecret{}, fmt.Errorf(
			"the installation's secret %s has %d bytes, not %d", path, len(content), len(secret),
		)
	}
	copy(secret[:], content)
	return secret, nil
}

// makeSecret creates the file with a new secret.
func makeSecret(path string) (InstallationSecret, error) {
	var secret InstallationSecret
	_, _ = rand.Read(secret[:]) // never fails: the program crashes instead
	if err := renameio.WriteFile(path, secret[:], 0o600); err != nil {
		return InstallationSecret{}, fmt.Errorf("make the installation's secret: %w", err)
	}
	return secret, nil
}

// CheckValue returns a value derived from the secret that is kept in the store, by which a wrong secret file is
// recognized.
func (s InstallationSecret) CheckValue() []byte {
	check := s.DeriveKey(checkPurpose)
	return check[:]
}

// HashKey returns the HMAC-SHA-256 of key under the secret.
func (s InstallationSecret) HashKey(key string) KeyHash {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(key))
	return KeyHash(mac.Sum(nil))
}

// Format redacts the secret in formatted text, for every verb.
func (InstallationSecret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue redacts the secret in logs.
func (InstallationSecret) LogValue() slog.Value { return slog.StringValue(hidden) }

// hidden is the redacted form of the secret.
const hidden = "(secret)"

// AuditKey returns the key that seals the audit trail.
func (s InstallationSecret) AuditKey() [32]byte { return s.DeriveKey("audit") }

// signingSeed returns the seed of the key that signs files that leave the appliance.
func (s InstallationSecret) signingSeed() [32]byte { return s.DeriveKey("evidence") }

// DeriveKey derives a key for one purpose from the installation's secret (HKDF-SHA-256, RFC 5869). A derived key
// reveals neither the secret nor the keys of other purposes.
func (s InstallationSecret) DeriveKey(purpose string) [32]byte {
	var derived [32]byte
	key, err := hkdf.Key(sha256.New, s[:], nil, "munadi "+purpose, len(derived))
	if err == nil { // the only error is a length beyond 255 hashes
		copy(derived[:], key)
	}
	return derived
}
