package auth

import (
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"strings"
)

// The parts of a generated key.
const (
	keyBegin    = "mnd_"
	randomBytes = 32
	randomChars = 43 // 62^43 > 2^256
	sumChars    = 6  // 62^6 > 2^32
	shownChars  = 12 // visible prefix
)

// base62 is the alphabet of generated keys, in the order of ASCII.
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// GenerateKey returns a new random key.
func GenerateKey() string {
	var random [randomBytes]byte
	_, _ = rand.Read(random[:]) // never fails: the program crashes instead
	body := keyBegin + encodeBase62(new(big.Int).SetBytes(random[:]), randomChars)
	return body + keyChecksum(body)
}

// IsGeneratedKey reports whether s has the form of a generated key with a valid checksum.
func IsGeneratedKey(s string) bool {
	if !looksGenerated(s) {
		return false
	}
	body, sum := s[:len(s)-sumChars], s[len(s)-sumChars:]
	return keyChecksum(body) == sum
}

// looksGenerated reports whether s has the prefix and the length of a generated key.
func looksGenerated(s string) bool {
	return strings.HasPrefix(s, keyBegin) && len(s) == len(keyBegin)+randomChars+sumChars
}

// unknownKeyReason returns the reason for refusing a key that the store does not have: a wrong checksum means a
// typing error.
func unknownKeyReason(presented string) RefusalReason {
	if looksGenerated(presented) && !IsGeneratedKey(presented) {
		return ReasonMistyped
	}
	return ReasonUnknown
}

// keyChecksum returns the checksum of a key's body.
func keyChecksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return encodeBase62(new(big.Int).SetUint64(uint64(sum)), sumChars)
}

// encodeBase62 encodes n in base62 with leading zeros, width characters long.
func encodeBase62(n *big.Int, width int) string {
	out, base, digit := make([]byte, width), big.NewInt(int64(len(base62))), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62[digit.Int64()]
	}
	return string(out)
}

// keyPrefix returns the part of a key that may be shown.
func keyPrefix(key string) string {
	if IsGeneratedKey(key) {
		return key[:shownChars]
	}
	runes := []rune(key)
	return string(runes[:min(len(runes)/4, 8)])
}
