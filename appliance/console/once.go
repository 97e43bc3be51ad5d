package console

import (
	"sync"
	"time"

	"munadi/store/org"
)

// The kinds of secrets that are shown once.
const (
	onceKey      = "key"
	oncePassword = "password"
	onceWebhook  = "webhook"
)

const (
	onceFor  = 5 * time.Minute
	onceMost = 1000
)

// once carries a secret from the act that made it to the page that shows it, over a redirect, in memory: for the
// session that made it, one time.
type once struct {
	mu   sync.Mutex
	kept map[string]secret
	now  func() time.Time
}

type secret struct {
	text  string
	until time.Time
}

func newOnce(now func() time.Time) *once { return &once{kept: map[string]secret{}, now: now} }

// put keeps a secret for the session's next page of that kind.
func (o *once) put(s org.Session, kind, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for place, kept := range o.kept {
		if !o.now().Before(kept.until) || len(o.kept) >= onceMost {
			delete(o.kept, place)
		}
	}
	o.kept[string(s.Hash)+kind] = secret{text, o.now().Add(onceFor)}
}

// take is the secret, once; empty without one.
func (o *once) take(s org.Session, kind string) string {
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
