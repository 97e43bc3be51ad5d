package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
)

// ErrUnsealable means that a sealed text was sealed with another key or for something else, or was changed.
var ErrUnsealable = errors.New("this cannot be decrypted with the installation's secret")

// SealText encrypts a text (AES-256-GCM) with a key of the installation; only with the same boundTo can it be opened.
func SealText(key [32]byte, text, boundTo []byte) ([]byte, error) {
	sealer, err := newSealer(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, sealer.NonceSize())
	_, _ = rand.Read(nonce) // never fails: the program crashes instead
	return sealer.Seal(nonce, nonce, text, boundTo), nil
}

// OpenText decrypts what [SealText] returned; [ErrUnsealable].
func OpenText(key [32]byte, sealed, boundTo []byte) ([]byte, error) {
	sealer, err := newSealer(key)
	if err != nil {
		return nil, err
	}
	if len(sealed) < sealer.NonceSize() {
		return nil, ErrUnsealable
	}
	text, err := sealer.Open(nil, sealed[:sealer.NonceSize()], sealed[sealer.NonceSize():], boundTo)
	if err != nil {
		return nil, ErrUnsealable
	}
	return text, nil
}

func newSealer(key [32]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
