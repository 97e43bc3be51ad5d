// Package evidence makes and checks files that prove something outside of the appliance: exports of the audit log, and
// the evidence of a call. Each is signed with Ed25519 (RFC 8032) by a key of the installation, so that nothing but the
// file and the public key is needed to check it.
//
// It depends on the store's contract, and on no door or worker.
package evidence

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// SigningKey is the key of an installation that signs. It is derived from the installation's secret: it is the same
// after a restore and on all appliances of an installation, and stored nowhere else.
type SigningKey struct{ private ed25519.PrivateKey }

// NewSigningKey returns the key of a seed.
func NewSigningKey(seed [32]byte) SigningKey { return SigningKey{ed25519.NewKeyFromSeed(seed[:])} }

// PublicKey returns the public key, 32 bytes in base64.
func (k SigningKey) PublicKey() string {
	public, _ := k.private.Public().(ed25519.PublicKey)
	return base64.StdEncoding.EncodeToString(public)
}

// sign signs the content of a kind of file.
func (k SigningKey) sign(kind string, content []byte) []byte {
	return ed25519.Sign(k.private, signedBytes(kind, content))
}

// signedBytes are the bytes that a signature covers: the kind of file, a line feed, and the content's SHA-256.
func signedBytes(kind string, content []byte) []byte {
	sum := sha256.Sum256(content)
	return append([]byte(kind+"\n"), sum[:]...)
}

// checkSignature returns an error unless the public key in base64 has signed the content.
func checkSignature(public, kind string, content, signature []byte) error {
	key, err := base64.StdEncoding.DecodeString(public)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return errors.New("the file's public key is not 32 bytes in base64")
	}
	if !ed25519.Verify(key, signedBytes(kind, content), signature) {
		return errors.New("the signature does not fit: the file was changed, or signed by another key than it names")
	}
	return nil
}

// CheckKey returns an error unless a file's public key is the expected one; an empty one expects any.
func CheckKey(public, expected string) error {
	if expected != "" && expected != public {
		return fmt.Errorf("the file is signed by the key %s, not by %s", public, expected)
	}
	return nil
}
