// Package endpoint is what requests to other programs' HTTP endpoints share: language models, tools, speech, webhooks.
// The addresses of all but webhooks, and the variables with their keys, come from the settings alone; redirects are not
// followed.
package endpoint

import (
	"net/http"
	"os"
)

// NewClient returns a client that follows no redirects.
func NewClient(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// IdempotencyKey is the header that says that a request may be sent again (draft-ietf-httpapi-idempotency-key-header).
const IdempotencyKey = "Idempotency-Key"

// AllowRepeat lets net/http send a request again, at once, where the server had closed a kept connection and no byte of
// the answer came: one that changes nothing there, or whose double is known by an id. Without a value the header is not
// sent.
func AllowRepeat(r *http.Request) { r.Header[IdempotencyKey] = nil }

// AddKey adds the bearer token that an environment variable holds; none for an empty name or variable.
func AddKey(r *http.Request, keyEnv string) {
	if keyEnv == "" {
		return
	}
	if key := os.Getenv(keyEnv); key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
}
