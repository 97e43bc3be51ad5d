package kit

import (
	"sync"
	"time"

	"munadi/store/account"
)

// The kinds of secrets that are shown once.
const (
	KeySecret      = "key"
	PasswordSecret = "password"
	WebhookSecret  = "webhook"
	RecoverySecret = "recovery codes"

	DestinationSecret = "destination"
)

const (
	secretLifetime  = 5 * time.Minute
	maxFlashSecrets = 1000
)

// FlashSecrets passes a new secret over a redirect to the page that shows it once, in memory, for the session that
// created it.
type flashSecrets struct {
	mu   sync.Mutex
	kept map[string]flashSecret
	now  func() time.Time
}

type flashSecret struct {
	text  string
	until time.Time
}

func newFlashSecrets(now func() time.Time) *flashSecrets {
	return &flashSecrets{kept: map[string]flashSecret{}, now: now}
}

// PutSecret stores a secret for the session's next page of that kind.
func (o *flashSecrets) PutSecret(s account.UserSession, kind, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for place, kept := range o.kept {
		if !o.now().Before(kept.until) || len(o.kept) >= maxFlashSecrets {
			delete(o.kept, place)
		}
	}
	o.kept[string(s.Hash)+kind] = flashSecret{text, o.now().Add(secretLifetime)}
}

// TakeSecret returns and removes the secret; empty without one.
func (o *flashSecrets) TakeSecret(s account.UserSession, kind string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	place := string(s.Hash) + kind
	kept := o.kept[place]
	delete(o.kept, place)
	if !o.now().Before(kept.until) {
		return ""
	}
	return kept.text
}
