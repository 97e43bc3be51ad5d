package delivery_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"munadi/store/delivery"
)

func TestSecrets(t *testing.T) {
	t.Parallel()
	s := delivery.NewSecret(now)
	key, err := s.DecodeKey()
	if err != nil || len(key) != 32 || !strings.HasPrefix(s.Value, "whsec_") || !s.CreatedAt.Equal(now) || s.ExpiresAt != nil {
		t.Fatalf("a new secret is %+v with %d bytes, %v", s, len(key), err)
	}
	if other, _ := delivery.NewSecret(now).DecodeKey(); bytes.Equal(key, other) {
		t.Error("two secrets are the same")
	}
	for _, bad := range []string{"", "whsec_", "whsec_MTIz", s.Value[6:], s.Value + "=", "whsec_" + strings.Repeat("AAAA", 30)} {
		if _, err := (delivery.SigningSecret{Value: bad}).DecodeKey(); err == nil {
			t.Errorf("%q passes for a secret", bad)
		}
	}
}

// TestRotation: the old secret signs for one more day, but not beyond its own expiry.
func TestRotation(t *testing.T) {
	t.Parallel()
	w := delivery.WebhookSetting{}.SetSigning(true, now)
	first := w.Secrets[0]
	if !w.Signing || len(w.Secrets) != 1 {
		t.Fatalf("turned on, it is %+v", w)
	}
	if again := w.SetSigning(false, now).SetSigning(true, now); again.Secrets[0] != first {
		t.Error("turning it off and on changed the secret")
	}
	w = w.RotateSecret(now)
	wantLive(t, w, now, w.Secrets[0].Value, first.Value)
	wantLive(t, w, now.Add(24*time.Hour-1), w.Secrets[0].Value, first.Value)
	wantLive(t, w, now.Add(24*time.Hour), w.Secrets[0].Value)
	second := w.Secrets[0]
	later := w.RotateSecret(now.Add(time.Hour))
	wantLive(t, later, now.Add(24*time.Hour), later.Secrets[0].Value, second.Value)
	wantLive(t, later, now.Add(25*time.Hour), later.Secrets[0].Value)
	if w.Secrets[0].ExpiresAt != nil || len(w.Secrets) != 2 {
		t.Error("rotating changed the setting that it began with")
	}
	for range 9 {
		later = later.RotateSecret(now.Add(time.Hour))
	}
	if len(later.LiveSecrets(now.Add(time.Hour))) != 4 {
		t.Errorf("%d secrets sign after ten rotations in an hour", len(later.LiveSecrets(now.Add(time.Hour))))
	}
}

func wantLive(t *testing.T, w delivery.WebhookSetting, at time.Time, want ...string) {
	t.Helper()
	var got []string
	for _, s := range w.LiveSecrets(at) {
		got = append(got, s.Value)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%d secrets sign at %v, want %d", len(got), at, len(want))
	}
}
