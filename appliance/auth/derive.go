package auth

import (
	"crypto/hkdf"
	"crypto/sha256"
)

// AuditKey returns the key that seals the audit trail.
func (s InstallationSecret) AuditKey() [32]byte { return s.DeriveKey("audit") }

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
