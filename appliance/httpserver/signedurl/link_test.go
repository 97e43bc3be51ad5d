package signedurl_test

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/appliance/httpserver/signedurl"
)

var now = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

const (
	one     = "call_6d0a4b0e-0b0e-4f6e-9f0e-0b0e4f6e9f0e"
	another = "call_7d0a4b0e-0b0e-4f6e-9f0e-0b0e4f6e9f0e"
)

func newSigner(t testing.TB, secret byte) *signedurl.TokenSigner {
	t.Helper()
	s, err := signedurl.NewSigner([32]byte{secret})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTokenOpensItsCall(t *testing.T) {
	t.Parallel()
	s := newSigner(t, 1)
	token := s.RecordingToken("acme", one, now)
	for name, c := range map[string]struct {
		call, token string
		at          time.Time
		org         string
		err         error
	}{
		"at once":           {one, token, now, "acme", nil},
		"on the last day":   {one, token, now.Add(signedurl.TokenLife - time.Millisecond), "acme", nil},
		"a moment late":     {one, token, now.Add(signedurl.TokenLife), "", signedurl.ErrExpired},
		"another call":      {another, token, now, "", signedurl.ErrForged},
		"nothing":           {one, "", now, "", signedurl.ErrForged},
		"no base64":         {one, "!" + token, now, "", signedurl.ErrForged},
		"cut":               {one, token[:len(token)-1], now, "", signedurl.ErrForged},
		"longer":            {one, token + "AA", now, "", signedurl.ErrForged},
		"huge":              {one, strings.Repeat("A", 1<<20), now, "", signedurl.ErrForged},
		"a download":        {one, s.DownloadToken("acme", one, now), now, "", signedurl.ErrForged},
		"another appliance": {one, newSigner(t, 2).RecordingToken("acme", one, now), now, "", signedurl.ErrForged},
	} {
		org, err := s.CheckToken(c.call, c.token, c.at)
		if org != c.org || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, org, err)
		}
	}
	if _, err := s.CheckDownload(one, token, now); !errors.Is(err, signedurl.ErrForged) {
		t.Errorf("a token downloads: %v", err)
	}
}

// TestTokenWithAFlippedBitIsRefused checks that no token with a flipped bit is accepted.
func TestTokenWithAFlippedBitIsRefused(t *testing.T) {
	t.Parallel()
	s := newSigner(t, 1)
	raw, err := base64.RawURLEncoding.DecodeString(s.DownloadToken("acme", one, now))
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		for bit := range 8 {
			raw[i] ^= 1 << bit
			if org, err := s.CheckDownload(one, base64.RawURLEncoding.EncodeToString(raw), now); err == nil {
				t.Fatalf("byte %d, bit %d: lets %q in", i, bit, org)
			}
			raw[i] ^= 1 << bit
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	s := newSigner(t, 1)
	for _, base := range []string{"https://calls.example", "https://calls.example/"} {
		l := signedurl.SignedLinks{Signer: s, PublicURL: func() string { return base }, Now: func() time.Time { return now }}
		recording, download := parseURL(t, l.RecordingURL("acme", one)), parseURL(t, l.DownloadURL("acme", one))
		if recording.Path != "/api/v1/calls/"+one+"/recording" || download.Path != "/api/v1/recordings/"+one {
			t.Errorf("%s and %s", recording, download)
		}
		if org, err := s.CheckToken(one, recording.Query().Get("t"), now); org != "acme" || err != nil {
			t.Errorf("recording: %q %v", org, err)
		}
		at := now.Add(signedurl.DownloadLife)
		if org, err := s.CheckDownload(one, download.Query().Get("t"), at.Add(-1)); org != "acme" || err != nil {
			t.Errorf("download: %q %v", org, err)
		}
		if _, err := s.CheckDownload(one, download.Query().Get("t"), at); !errors.Is(err, signedurl.ErrExpired) {
			t.Errorf("download after its time: %v", err)
		}
	}
}

func parseURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// FuzzCheckToken checks that no token causes a panic or is valid for another resource.
func FuzzCheckToken(f *testing.F) {
	s := newSigner(f, 1)
	good := s.RecordingToken("acme", one, now)
	f.Add(good)
	f.Add(good[:40])
	f.Add("")
	f.Add("%00" + good)
	f.Fuzz(func(t *testing.T, token string) {
		org, err := s.CheckToken(one, token, now)
		if (err == nil) != (token == good) || (err == nil) != (org == "acme") {
			t.Errorf("%q: %q, %v", token, org, err)
		}
	})
}
