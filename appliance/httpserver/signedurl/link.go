// Package signedurl signs and verifies the expiring links to recordings: the call-scoped token inside recording_url,
// and the short-lived download URL to which the recording's address redirects.
//
// It handles a secret, ids and times, not requests or files. A token holds its expiry, the organization of the call and
// an HMAC-SHA-256 over both and the call's id, under a key derived for its purpose (HKDF), so that a recording token
// can't be used as a download token or the reverse. The call's id is not in the token, since the address contains it,
// and a token verifies for that call only. Tokens are stateless: one is valid until its expiry, or until the recording
// is deleted.
package signedurl

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"time"
)

// Lifetimes of signed links.
const (
	TokenLife    = 7 * 24 * time.Hour
	DownloadLife = 5 * time.Minute
)

// The reasons for which a token is refused.
var (
	ErrForged  = errors.New("the token is not valid for this call")
	ErrExpired = errors.New("the token has expired")
)

// maxToken is the longest token that is parsed, in characters.
const maxToken = 256

// TokenSigner signs and verifies tokens. It is safe for concurrent use.
type TokenSigner struct{ recording, download []byte }

// NewSigner returns a signer with keys derived from the installation's secret by HKDF-SHA-256.
func NewSigner(secret [32]byte) (*TokenSigner, error) {
	recording, err := hkdf.Key(sha256.New, secret[:], nil, "recording token", sha256.Size)
	if err != nil {
		return nil, err
	}
	download, err := hkdf.Key(sha256.New, secret[:], nil, "recording download", sha256.Size)
	return &TokenSigner{recording, download}, err
}

// RecordingToken returns a token for requesting one call's recording within [TokenLife].
func (s *TokenSigner) RecordingToken(orgID, callID string, now time.Time) string {
	return signToken(s.recording, orgID, callID, now.Add(TokenLife))
}

// CheckToken verifies a recording token and returns the organization of its call; ErrForged for a token that was not
// signed here or is of another call, ErrExpired.
func (s *TokenSigner) CheckToken(callID, token string, now time.Time) (orgID string, err error) {
	return verifyToken(s.recording, callID, token, now)
}

// DownloadToken returns a token for downloading one call's recording within [DownloadLife].
func (s *TokenSigner) DownloadToken(orgID, callID string, now time.Time) string {
	return signToken(s.download, orgID, callID, now.Add(DownloadLife))
}

// CheckDownload verifies a download token, with the results of CheckToken.
func (s *TokenSigner) CheckDownload(callID, token string, now time.Time) (orgID string, err error) {
	return verifyToken(s.download, callID, token, now)
}

// Layout of a token: expiry in Unix milliseconds (8 bytes, big endian), organization, MAC (32 bytes); base64url
// without padding.
const (
	endSize = 8
	macSize = sha256.Size
)

func signToken(key []byte, orgID, callID string, end time.Time) string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(end.UnixMilli()))
	raw = append(raw, orgID...)
	return base64.RawURLEncoding.EncodeToString(append(raw, tokenMAC(key, raw, callID)...))
}

func verifyToken(key []byte, callID, token string, now time.Time) (string, error) {
	if len(token) > maxToken {
		return "", ErrForged
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) <= endSize+macSize || strings.ContainsAny(token, "\r\n") { // base64 ignores line breaks
		return "", ErrForged
	}
	said, mac := raw[:len(raw)-macSize], raw[len(raw)-macSize:]
	if !hmac.Equal(mac, tokenMAC(key, said, callID)) {
		return "", ErrForged
	}
	if end := time.UnixMilli(int64(binary.BigEndian.Uint64(said))); !now.Before(end) {
		return "", ErrExpired
	}
	return string(said[endSize:]), nil
}

// tokenMAC computes the HMAC over a token's payload and the id of its call. The id's length is written first, so that
// no bytes can be moved from one part to the other.
func tokenMAC(key, said []byte, callID string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(callID))))
	mac.Write([]byte(callID))
	mac.Write(said)
	return mac.Sum(nil)
}
