// Package seal encrypts short texts with a key of the installation (AES-256-GCM), each bound to what it belongs to:
// the passwords of mail servers and trunks in the database, the secrets of second factors, the cookie of a sign-in
// with the identity provider. It is a package of its own since mail, telephony and sign-in, which do not import each
// other, share it.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"strings"
)

// ErrUnreadable means that a text was sealed with another key, for something else, or is damaged.
var ErrUnreadable = errors.New("it cannot be decrypted")

// SealText encrypts a text for what it is bound to: with anything else beside it, it can't be opened.
func SealText(key [32]byte, text string, boundTo ...string) ([]byte, error) {
	sealer, err := newSealer(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, sealer.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return sealer.Seal(nonce, nonce, []byte(text), joinBound(boundTo)), nil
}

// OpenText decrypts a text; empty for an empty one.
func OpenText(key [32]byte, sealed []byte, boundTo ...string) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	sealer, err := newSealer(key)
	if err != nil {
		return "", err
	}
	if len(sealed) < sealer.NonceSize() {
		return "", ErrUnreadable
	}
	plain, err := sealer.Open(nil, sealed[:sealer.NonceSize()], sealed[sealer.NonceSize():], joinBound(boundTo))
	if err != nil {
		return "", ErrUnreadable
	}
	return string(plain), nil
}

func newSealer(key [32]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func joinBound(boundTo []string) []byte { return []byte(strings.Join(boundTo, "\x00")) }
