package org

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Scope is one thing that a key allows.
type Scope string

// The scopes that exist.
const (
	ScopeSTT   Scope = "stt"   // speech to text
	ScopeCalls Scope = "calls" // the call platform
	ScopeAdmin Scope = "admin" // keys, settings and other people's affairs
)

// Scopes lists every scope, in the order in which they are shown.
func Scopes() []Scope { return []Scope{ScopeSTT, ScopeCalls, ScopeAdmin} }

// ParseScopes turns names into scopes, in showing order and each once. An unknown name is an error that lists the
// known ones, and so is an empty list: a key that allows nothing is a mistake.
func ParseScopes(names []string) ([]Scope, error) {
	for _, name := range names {
		if !slices.Contains(Scopes(), Scope(name)) {
			return nil, fmt.Errorf("unknown scope %q (known: %s)", name, Join(Scopes()))
		}
	}
	var scopes []Scope
	for _, scope := range Scopes() {
		if slices.Contains(names, string(scope)) {
			scopes = append(scopes, scope)
		}
	}
	if len(scopes) == 0 {
		return nil, fmt.Errorf("no scope given (known: %s)", Join(Scopes()))
	}
	return scopes, nil
}

// Join prints scopes as a comma-separated list.
func Join(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

// Key is an API key as the appliance remembers it: everything but the key itself.
type Key struct {
	ID         string     `json:"id"` // unique over all organizations
	OrgID      string     `json:"org_id"`
	Name       string     `json:"name"`   // what the owner calls it
	Prefix     string     `json:"prefix"` // its first characters, to tell keys apart by eye
	Hash       []byte     `json:"hash"`   // keyed hash of the whole key
	Scopes     []Scope    `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"` // nil until used; at most a minute or so behind
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`   // nil while the key lives
}

// Live says whether the key still opens anything.
func (k Key) Live() bool { return k.RevokedAt == nil }

// Has says whether the key allows scope; a revoked one allows none.
func (k Key) Has(scope Scope) bool { return k.Live() && slices.Contains(k.Scopes, scope) }
