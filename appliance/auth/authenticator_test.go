package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// softAuthenticator is an authenticator with one key pair, which answers as a test wants (WebAuthn, 6.1 and 6.5).
type softAuthenticator struct {
	t      *testing.T
	key    *ecdsa.PrivateKey
	id     []byte
	handle string // user handle
	count  uint32
	// What a test changes: origin and relying party of the page, flags of the authenticator data, attestation.
	origin, host string
	flags        byte
	forge        func(attestation map[string]any)
}

const (
	flagPresent  = 1
	flagVerified = 4
	flagAttested = 64
)

func newAuthenticator(t *testing.T) *softAuthenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return &softAuthenticator{t: t, key: key, id: id, origin: site.Origin, host: site.Host, flags: flagPresent | flagVerified}
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// clientData returns what the browser adds to a challenge of options.
func (s *softAuthenticator) clientData(kind string, options []byte) []byte {
	s.t.Helper()
	var asked struct {
		Challenge string
		User      struct{ ID string }
	}
	if err := json.Unmarshal(options, &asked); err != nil || asked.Challenge == "" {
		s.t.Fatalf("options %s: %v", options, err)
	}
	if asked.User.ID != "" {
		handle, _ := base64.RawURLEncoding.DecodeString(asked.User.ID)
		s.handle = string(handle)
	}
	text, _ := json.Marshal(map[string]any{
		"type": kind, "challenge": asked.Challenge, "origin": s.origin, "crossOrigin": false,
	})
	return text
}

func (s *softAuthenticator) authData(flags byte) []byte {
	hash := sha256.Sum256([]byte(s.host))
	s.count++
	return binary.BigEndian.AppendUint32(append(hash[:], flags), s.count)
}

// create answers the options of a new passkey.
func (s *softAuthenticator) create(options []byte) []byte {
	s.t.Helper()
	client := s.clientData("webauthn.create", options)
	point, err := s.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		s.t.Fatal(err)
	}
	key, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	if err != nil {
		s.t.Fatal(err)
	}
	data := append(s.authData(s.flags|flagAttested), make([]byte, 16)...) // AAGUID of none
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(s.id))), s.id...)
	attestation := map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": append(data, key...)}
	if s.forge != nil {
		s.forge(attestation)
	}
	object, _ := cbor.Marshal(attestation)
	return s.answer(map[string]any{
		"clientDataJSON": encode(client), "attestationObject": encode(object), "transports": []string{"internal"},
	})
}

// get answers the options of a sign-in.
func (s *softAuthenticator) get(options []byte) []byte {
	s.t.Helper()
	client, data := s.clientData("webauthn.get", options), s.authData(s.flags)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, s.key, digest[:])
	if err != nil {
		s.t.Fatal(err)
	}
	return s.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature),
		"userHandle": encode([]byte(s.handle)),
	})
}

func (s *softAuthenticator) answer(response map[string]any) []byte {
	text, _ := json.Marshal(map[string]any{
		"id": encode(s.id), "rawId": encode(s.id), "type": "public-key", "response": response,
		"clientExtensionResults": map[string]any{}, "authenticatorAttachment": "platform",
	})
	return text
}
