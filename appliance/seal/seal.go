// Package seal encrypts the passwords that are set in the console for the database (AES-256-GCM), each for what it
// belongs to: a mail server's host and user, a trunk's address and user. It is a package of its own since mail and
// telephony, which import neither each other nor the sign-in, share it.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"strings"
)

// ErrUnreadable means that a password was sealed with another key, for something else, or is damaged.
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
