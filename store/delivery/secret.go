package delivery

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"time"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32 // Standard Webhooks: 24 to 64
	// Overlap is how long an old secret signs beside its successor, for receivers that have not changed over.
	Overlap = 24 * time.Hour
	// maxSecrets bounds how many sign at once; the oldest goes when a person rotates more often than that.
	maxSecrets = 4
)

// Secret is a signing secret, "whsec_" and 32 bytes in base64, as Standard Webhooks has it. It must be kept readable,
// since it signs.
type Secret struct {
	Value     string     `json:"value"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // nil: never
}

// NewSecret makes a random secret.
func NewSecret(now time.Time) Secret {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // it never fails: crypto/rand ends the process rather
	return Secret{Value: secretPrefix + base64.StdEncoding.EncodeToString(key), CreatedAt: now}
}

// Key is the secret's bytes, what HMAC-SHA-256 is keyed with. Its error doesn't show the secret.
func (s Secret) Key() ([]byte, error) {
	digits, found := strings.CutPrefix(s.Value, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(digits)
	if !found || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, errors.New("must be whsec_ and 24 to 64 bytes in base64")
	}
	return key, nil
}

// Live are the secrets that sign at now, the newest first.
func (w Webhook) Live(now time.Time) []Secret {
	var live []Secret
	for _, s := range w.Secrets {
		if s.ExpiresAt == nil || s.ExpiresAt.After(now) {
			live = append(live, s)
		}
	}
	return live
}

// Rotate is the setting with a new secret in front; the old ones sign for [Overlap] more at most.
func (w Webhook) Rotate(now time.Time) Webhook {
	end := now.Add(Overlap)
	secrets := []Secret{NewSecret(now)}
	for _, s := range w.Live(now) {
		if s.ExpiresAt == nil || s.ExpiresAt.After(end) {
			s.ExpiresAt = &end
		}
		secrets = append(secrets, s)
	}
	w.Secrets = secrets[:min(len(secrets), maxSecrets)]
	return w
}

// Sign is the setting with signing turned on or off. Turned on for the first time, it gets its secret; turned off, it
// keeps it, so that a receiver need not change when it is turned on again.
func (w Webhook) Sign(on bool, now time.Time) Webhook {
	if w.Signing = on; on && len(w.Live(now)) == 0 {
		w.Secrets = []Secret{NewSecret(now)}
	}
	return w
}

// SignByDefault is the setting with signing on, where nobody has set it yet.
func (w Webhook) SignByDefault(now time.Time) Webhook {
	if !w.UpdatedAt.IsZero() {
		return w
	}
	return w.Sign(true, now)
}

// NewSecret is the secret that the setting signs with first and that before did not have; empty without a new one.
func (w Webhook) NewSecret(before Webhook) string {
	if len(w.Secrets) == 0 || len(before.Secrets) > 0 && before.Secrets[0].Value == w.Secrets[0].Value {
		return ""
	}
	return w.Secrets[0].Value
}
