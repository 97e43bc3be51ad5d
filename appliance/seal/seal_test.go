package seal_test

import (
	"bytes"
	"errors"
	"testing"

	"munadi/appliance/seal"
)

// TestSeal checks that a text is opened with its key and what it is bound to, and with nothing else.
func TestSeal(t *testing.T) {
	t.Parallel()
	key, other := [32]byte{1}, [32]byte{2}
	sealed, err := seal.SealText(key, "s3cret", "sip:h", "me")
	if err != nil || bytes.Contains(sealed, []byte("s3cret")) {
		t.Fatalf("sealed as %q, %v", sealed, err)
	}
	if got, err := seal.OpenText(key, sealed, "sip:h", "me"); got != "s3cret" || err != nil {
		t.Errorf("opened as %q, %v", got, err)
	}
	if got, err := seal.OpenText(key, nil, "sip:h"); got != "" || err != nil {
		t.Errorf("none is %q, %v", got, err)
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	for name, open := range map[string]func() (string, error){
		"another key":     func() (string, error) { return seal.OpenText(other, sealed, "sip:h", "me") },
		"another address": func() (string, error) { return seal.OpenText(key, sealed, "sip:x", "me") },
		"another user":    func() (string, error) { return seal.OpenText(key, sealed, "sip:h", "you") },
		"joined":          func() (string, error) { return seal.OpenText(key, sealed, "sip:hme") },
		"changed":         func() (string, error) { return seal.OpenText(key, changed, "sip:h", "me") },
		"short":           func() (string, error) { return seal.OpenText(key, []byte("abc"), "sip:h", "me") },
	} {
		if got, err := open(); got != "" || !errors.Is(err, seal.ErrUnreadable) {
			t.Errorf("%s opens it as %q, %v", name, got, err)
		}
	}
}
