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
	// Overlap is the secret rotation overlap: an old secret still signs for this time, for receivers that have not
	// switched yet.
	Overlap = 24 * time.Hour
	// maxSecrets is the maximum number of active secrets; faster rotation drops the oldest.
	maxSecrets = 4
)

// SigningSecret is an HMAC signing secret, "whsec_" and 32 bytes in base64, as in Standard Webhooks. It is stored
// readable, because it signs.
type SigningSecret struct {
	Value     string     `json:"value"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // nil: never
}

// NewSecret generates a random secret.
func NewSecret(now time.Time) SigningSecret {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // never fails: crypto/rand crashes the process instead
	return SigningSecret{Value: secretPrefix + base64.StdEncoding.EncodeToString(key), CreatedAt: now}
}

// DecodeKey returns the secret's bytes, the key of HMAC-SHA-256. Its error does not contain the secret.
func (s SigningSecret) DecodeKey() ([]byte, error) {
	digits, found := strings.CutPrefix(s.Value, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(digits)
	if !found || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, errors.New("must be whsec_ and 24 to 64 bytes in base64")
	}
	return key, nil
}

// LiveSecrets returns the secrets that sign at now, the newest first.
func (w WebhookSetting) LiveSecrets(now time.Time) []SigningSecret {
	var live []SigningSecret
	for _, s := range w.Secrets {
		if s.ExpiresAt == nil || s.ExpiresAt.After(now) {
			live = append(live, s)
		}
	}
	return live
}

// RotateSecret returns the setting with a new secret in front; the old ones expire within [Overlap].
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

// SetSigning returns the setting with signing on or off. Turned on for the first time, it generates a secret; turned
// off, it keeps the secret, so that a receiver need not change when signing is turned on again.
func (w WebhookSetting) SetSigning(on bool, now time.Time) WebhookSetting {
	if w.Signing = on; on && len(w.LiveSecrets(now)) == 0 {
		w.Secrets = []SigningSecret{NewSecret(now)}
	}
	return w
}

// SignByDefault turns signing on in a setting that was never saved.
func (w WebhookSetting) SignByDefault(now time.Time) WebhookSetting {
	if !w.UpdatedAt.IsZero() {
		return w
	}
	return w.SetSigning(true, now)
}

// NewSecret returns the value of the newest secret if before did not have it; else empty.
func (w WebhookSetting) NewSecret(before WebhookSetting) string {
	if len(w.Secrets) == 0 || len(before.Secrets) > 0 && before.Secrets[0].Value == w.Secrets[0].Value {
		return ""
	}
	return w.Secrets[0].Value
}
