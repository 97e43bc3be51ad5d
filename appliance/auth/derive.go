package auth

import (
	"crypto/hkdf"
	"crypto/sha256"
)

// DeriveKey is a secret of its own for one purpose (HKDF-SHA-256, RFC 5869): whoever learns it learns neither the
// installation's secret nor that of another purpose.
func (s InstallationSecret) DeriveKey(purpose string) [32]byte {
	var derived [32]byte
	key, err := hkdf.Key(sha256.New, s[:], nil, "munadi "+purpose, len(derived))
	if err == nil { // the only error is a length beyond 255 hashes
		copy(derived[:], key)
	}
	return derived
}
