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

// SigningSecret is a signing secret, "whsec_" and 32 bytes in base64, as Standard Webhooks has it. It must be kept readable,
// since it signs.
type SigningSecret struct {
	Value     string     `json:"value"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // nil: never
}

// NewSecret makes a random secret.
func NewSecret(now time.Time) SigningSecret {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // it never fails: crypto/rand ends the process rather
	return SigningSecret{Value: secretPrefix + base64.StdEncoding.EncodeToString(key), CreatedAt: now}
}

// DecodeKey is the secret's bytes, what HMAC-SHA-256 is keyed with. Its error doesn't show the secret.
func (s SigningSecret) DecodeKey() ([]byte, error) {
	digits, found := strings.CutPrefix(s.Value, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(digits)
	if !found || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, errors.New("must be whsec_ and 24 to 64 bytes in base64")
	}
	return key, nil
}

// LiveSecrets are the secrets that sign at now, the newest first.
func (w WebhookSetting) LiveSecrets(now time.Time) []SigningSecret {
	var live []SigningSecret
	for _, s := range w.Secrets {
		if s.ExpiresAt == nil || s.ExpiresAt.After(now) {
			live = append(live, s)
		}
	}
	return live
}

// RotateSecret is the setting with a new secret in front; the old ones sign for [Overlap] more at most.
func (w WebhookSetting) RotateSecret(now time.Time) WebhookSetting {
	end := now.Add(Overlap)
	secrets := []SigningSecret{NewSecret(now)}
	for _, s := range w.LiveSecrets(now) {
		if s.ExpiresAt == nil || s.ExpiresAt.After(end) {
			s.ExpiresAt = &end
		}
		secrets = append(secrets, s)
	}
	w.Secrets = secrets[:min(len(secrets), maxSecrets)]
	return w
}

// SetSigning is the setting with signing turned on or off. Turned on for the first time, it gets its secret; turned off, it
// keeps it, so that a receiver need not change when it is turned on again.
func (w WebhookSetting) SetSigning(on bool, now time.Time) WebhookSetting {
	if w.Signing = on; on && len(w.LiveSecrets(now)) == 0 {
		w.Secrets = []SigningSecret{NewSecret(now)}
	}
	return w
}

// SignByDefault is the setting with signing on, where nobody has set it yet.
func (w WebhookSetting) SignByDefault(now time.Time) WebhookSetting {
	if !w.UpdatedAt.IsZero() {
		return w
	}
	return w.SetSigning(true, now)
}

// NewSecret is the secret that the setting signs with first and that before did not have; empty without a new one.
func (w WebhookSetting) NewSecret(before WebhookSetting) string {
	if len(w.Secrets) == 0 || len(before.Secrets) > 0 && before.Secrets[0].Value == w.Secrets[0].Value {
		return ""
	}
	return w.Secrets[0].Value
}
