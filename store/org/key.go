package org

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Scope is one thing that a key allows.
type Scope string

// The scopes that exist.
const (
	ScopeSTT         Scope = "stt"          // speech to text
	ScopeCalls       Scope = "calls"        // calls:read and calls:write together
	ScopeCallsRead   Scope = "calls:read"   // look at calls, recordings, campaigns and scenarios
	ScopeCallsWrite  Scope = "calls:write"  // book, move, cancel and hang up calls
	ScopeSettings    Scope = "settings"     // scenarios, dialling rules, suppressions, webhook
	ScopeErasePeople Scope = "people:erase" // erase all that is kept of a person
	ScopeAdmin       Scope = "admin"        // nothing so far
)

// Scopes lists every scope, in the order in which they are shown.
func Scopes() []Scope {
	return []Scope{
		ScopeSTT, ScopeCalls, ScopeCallsRead, ScopeCallsWrite, ScopeSettings, ScopeErasePeople, ScopeAdmin,
	}
}

// UsualScopes are those of a key for which none were chosen: all that programs need.
func UsualScopes() []Scope { return []Scope{ScopeSTT, ScopeCalls, ScopeSettings, ScopeErasePeople} }

// Allow says whether scopes allow what wanted covers: by its own name, or by one that includes it.
func Allow(scopes []Scope, wanted Scope) bool {
	if slices.Contains(scopes, wanted) {
		return true
	}
	return (wanted == ScopeCallsRead || wanted == ScopeCallsWrite) && slices.Contains(scopes, ScopeCalls)
}

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
func (k Key) Has(scope Scope) bool { return k.Live() && Allow(k.Scopes, scope) }

// plainKey is a key without its own JSON methods.
type plainKey Key

// keyRecord is a key as the store keeps it.
type keyRecord struct {
	plainKey
	// FineScopes says that the scope calls means calls:read and calls:write alone. Keys from before these scopes existed
	// lack it: their calls allowed everything of the call platform.
	FineScopes bool `json:"fine_scopes"`
}

// MarshalJSON implements [json.Marshaler].
func (k Key) MarshalJSON() ([]byte, error) { return json.Marshal(keyRecord{plainKey(k), true}) }

// UnmarshalJSON implements [json.Unmarshaler]. A key from before the finer scopes gets those that its calls stood for,
// so that it goes on to open what it opened.
func (k *Key) UnmarshalJSON(data []byte) error {
	var r keyRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	*k = Key(r.plainKey)
	if !r.FineScopes && slices.Contains(k.Scopes, ScopeCalls) {
		k.Scopes = inOrder(append(slices.Clone(k.Scopes), ScopeSettings, ScopeErasePeople))
	}
	return nil
}

// inOrder is scopes in showing order, each once.
func inOrder(scopes []Scope) []Scope {
	return slices.DeleteFunc(Scopes(), func(s Scope) bool { return !slices.Contains(scopes, s) })
}
