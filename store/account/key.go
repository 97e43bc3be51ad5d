package account

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// KeyScope is one thing that a key allows.
type KeyScope string

// The scopes that exist.
const (
	ScopeSTT         KeyScope = "stt"          // speech to text
	ScopeCalls       KeyScope = "calls"        // calls:read and calls:write together
	ScopeCallsRead   KeyScope = "calls:read"   // look at calls, recordings, campaigns and scenarios
	ScopeCallsWrite  KeyScope = "calls:write"  // book, move, cancel and hang up calls
	ScopeSettings    KeyScope = "settings"     // scenarios, dialling rules, suppressions, webhook
	ScopeErasePeople KeyScope = "people:erase" // erase all that is kept of a person
	ScopeAdmin       KeyScope = "admin"        // nothing so far
)

// AllScopes lists every scope, in the order in which they are shown.
func AllScopes() []KeyScope {
	return []KeyScope{
		ScopeSTT, ScopeCalls, ScopeCallsRead, ScopeCallsWrite, ScopeSettings, ScopeErasePeople, ScopeAdmin,
	}
}

// UsualScopes are those of a key for which none were chosen: all that programs need.
func UsualScopes() []KeyScope {
	return []KeyScope{ScopeSTT, ScopeCalls, ScopeSettings, ScopeErasePeople}
}

// AllowsScope says whether scopes allow what wanted covers: by its own name, or by one that includes it.
func AllowsScope(scopes []KeyScope, wanted KeyScope) bool {
	if slices.Contains(scopes, wanted) {
		return true
	}
	return (wanted == ScopeCallsRead || wanted == ScopeCallsWrite) && slices.Contains(scopes, ScopeCalls)
}

// ParseScopes turns names into scopes, in showing order and each once. An unknown name is an error that lists the
// known ones, and so is an empty list: a key that allows nothing is a mistake.
func ParseScopes(names []string) ([]KeyScope, error) {
	for _, name := range names {
		if !slices.Contains(AllScopes(), KeyScope(name)) {
			return nil, fmt.Errorf("unknown scope %q (known: %s)", name, JoinScopes(AllScopes()))
		}
	}
	var scopes []KeyScope
	for _, scope := range AllScopes() {
		if slices.Contains(names, string(scope)) {
			scopes = append(scopes, scope)
		}
	}
	if len(scopes) == 0 {
		return nil, fmt.Errorf("no scope given (known: %s)", JoinScopes(AllScopes()))
	}
	return scopes, nil
}

// JoinScopes prints scopes as a comma-separated list.
func JoinScopes(scopes []KeyScope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

// APIKey is an API key as the appliance remembers it: everything but the key itself.
type APIKey struct {
	ID         string     `json:"id"` // unique over all organizations
	OrgID      string     `json:"org_id"`
	Name       string     `json:"name"`   // what the owner calls it
	Prefix     string     `json:"prefix"` // its first characters, to tell keys apart by eye
	Hash       []byte     `json:"hash"`   // keyed hash of the whole key
	Scopes     []KeyScope `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"` // nil until used; at most a minute or so behind
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`   // nil while the key lives
}

// IsLive says whether the key still opens anything.
func (k APIKey) IsLive() bool { return k.RevokedAt == nil }

// HasScope says whether the key allows scope; a revoked one allows none.
func (k APIKey) HasScope(scope KeyScope) bool { return k.IsLive() && AllowsScope(k.Scopes, scope) }

// plainKey is a key without its own JSON methods.
type plainKey APIKey

// keyRecord is a key as the store keeps it.
type keyRecord struct {
	plainKey
	// FineScopes says that the scope calls means calls:read and calls:write alone. Keys from before these scopes existed
	// lack it: their calls allowed everything of the call platform.
	FineScopes bool `json:"fine_scopes"`
}

// MarshalJSON implements [json.Marshaler].
func (k APIKey) MarshalJSON() ([]byte, error) { return json.Marshal(keyRecord{plainKey(k), true}) }

// UnmarshalJSON implements [json.Unmarshaler]. A key from before the finer scopes gets those that its calls stood for,
// so that it goes on to open what it opened.
func (k *APIKey) UnmarshalJSON(data []byte) error {
	var r keyRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	*k = APIKey(r.plainKey)
	if !r.FineScopes && slices.Contains(k.Scopes, ScopeCalls) {
		k.Scopes = inOrder(append(slices.Clone(k.Scopes), ScopeSettings, ScopeErasePeople))
	}
	return nil
}

// inOrder is scopes in showing order, each once.
func inOrder(scopes []KeyScope) []KeyScope {
	return slices.DeleteFunc(AllScopes(), func(s KeyScope) bool { return !slices.Contains(scopes, s) })
}
