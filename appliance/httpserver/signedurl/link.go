// Package signedurl makes and checks the signed links to recordings: the call-scoped token inside recording_url, and the
// short-lived download URL that the recording's address redirects to.
//
// It knows a secret, ids and times; neither requests nor files. A token holds the time of its end, the organization
// of the call and an HMAC-SHA-256 over both and the call's id, under a key derived for its purpose, so that one can't
// be used as the other. The call's id is not in it: it stands in the address already, and a token fits that one only.
// Nothing is remembered: a token holds until its time, and ends with the recording itself.
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

// How long links open what they name.
const (
	TokenLife    = 7 * 24 * time.Hour
	DownloadLife = 5 * time.Minute
)

// The refusals of a token.
var (
	ErrForged  = errors.New("the token is not one of ours for this call")
	ErrExpired = errors.New("the token has expired")
)

// maxToken bounds what is looked at, in characters.
const maxToken = 256

// TokenSigner makes and checks tokens. It is safe for concurrent use.
type TokenSigner struct{ recording, download []byte }

// NewSigner is a signer under a secret.
func NewSigner(secret [32]byte) (*TokenSigner, error) {
	recording, err := hkdf.Key(sha256.New, secret[:], nil, "recording token", sha256.Size)
	if err != nil {
		return nil, err
	}
	download, err := hkdf.Key(sha256.New, secret[:], nil, "recording download", sha256.Size)
	return &TokenSigner{recording, download}, err
}

// RecordingToken lets its holder ask for one call's recording for [TokenLife].
func (s *TokenSigner) RecordingToken(orgID, callID string, now time.Time) string {
	return signToken(s.recording, orgID, callID, now.Add(TokenLife))
}

// CheckToken says whose call the token opens. ErrForged for one that is not ours, or of another call; ErrExpired.
func (s *TokenSigner) CheckToken(callID, token string, now time.Time) (orgID string, err error) {
	return verifyToken(s.recording, callID, token, now)
}

// DownloadToken lets its holder fetch one call's recording for [DownloadLife].
func (s *TokenSigner) DownloadToken(orgID, callID string, now time.Time) string {
	return signToken(s.download, orgID, callID, now.Add(DownloadLife))
}

// CheckDownload is CheckToken for a download.
func (s *TokenSigner) CheckDownload(callID, token string, now time.Time) (orgID string, err error) {
	return verifyToken(s.download, callID, token, now)
}

// A token's bytes: end in Unix milliseconds (8, big endian), organization, MAC (32); base64url without padding.
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
	if err != nil || len(raw) <= endSize+macSize || strings.ContainsAny(token, "\r\n") { // which base64 passes over
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

// tokenMAC is the MAC over what a token says and the call that it is of. The id's length goes first, so that nothing can
// move from the one part into the other.
func tokenMAC(key, said []byte, callID string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(callID))))
	mac.Write([]byte(callID))
	mac.Write(said)
	return mac.Sum(nil)
}
