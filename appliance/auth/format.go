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
	shownChars  = 12 // what is shown of it ever after
)

// base62 are the digits, in the order of ASCII.
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Generate makes a new key.
func Generate() string {
	var random [randomBytes]byte
	_, _ = rand.Read(random[:]) // never fails: the program ends first
	body := keyBegin + digits(new(big.Int).SetBytes(random[:]), randomChars)
	return body + checksum(body)
}

// Generated says whether s is built like a generated key, checksum included.
func Generated(s string) bool {
	if !looksGenerated(s) {
		return false
	}
	body, sum := s[:len(s)-sumChars], s[len(s)-sumChars:]
	return checksum(body) == sum
}

// looksGenerated says whether s begins and counts like a generated key.
func looksGenerated(s string) bool {
	return strings.HasPrefix(s, keyBegin) && len(s) == len(keyBegin)+randomChars+sumChars
}

// unknown is the reason for refusing a key that the store does not have.
func unknown(presented string) Reason {
	if looksGenerated(presented) && !Generated(presented) {
		return ReasonMistyped
	}
	return ReasonUnknown
}

// checksum is the tail for a key's body.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return digits(new(big.Int).SetUint64(uint64(sum)), sumChars)
}

// digits writes n in base62 with leading zeros, width characters long.
func digits(n *big.Int, width int) string {
	out, base, digit := make([]byte, width), big.NewInt(int64(len(base62))), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62[digit.Int64()]
	}
	return string(out)
}

// shown is the part of a key that may be shown.
func shown(key string) string {
	if Generated(key) {
		return key[:shownChars]
	}
	runes := []rune(key)
	return string(runes[:min(len(runes)/4, 8)])
}
