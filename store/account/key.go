package account

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// KeyScope is a permission of an API key.
type KeyScope string

// Scopes.
const (
	ScopeSTT         KeyScope = "stt"          // speech to text
	ScopeCalls       KeyScope = "calls"        // calls:read and calls:write together
	ScopeCallsRead   KeyScope = "calls:read"   // read calls, recordings, campaigns and scenarios
	ScopeCallsWrite  KeyScope = "calls:write"  // book, reschedule, cancel and hang up calls
	ScopeSettings    KeyScope = "settings"     // scenarios, calling rules, suppressions, webhook
	ScopeErasePeople KeyScope = "people:erase" // erase all personal data of a person
	ScopeAdmin       KeyScope = "admin"        // reserved
)

// AllScopes lists every scope, in display order.
func AllScopes() []KeyScope {
	return []KeyScope{
		ScopeSTT, ScopeCalls, ScopeCallsRead, ScopeCallsWrite, ScopeSettings, ScopeErasePeople, ScopeAdmin,
	}
}

// UsualScopes returns the default scopes of a new key.
func UsualScopes() []KeyScope {
	return []KeyScope{ScopeSTT, ScopeCalls, ScopeSettings, ScopeErasePeople}
}

// AllowsScope reports whether scopes grant wanted, directly or by a scope that includes it.
func AllowsScope(scopes []KeyScope, wanted KeyScope) bool {
	if slices.Contains(scopes, wanted) {
		return true
	}
	return (wanted == ScopeCallsRead || wanted == ScopeCallsWrite) && slices.Contains(scopes, ScopeCalls)
}

// ParseScopes converts names into scopes, in display order and without duplicates. An unknown name is an error that
// lists the known ones; an empty list is an error too, since a key without scopes is useless.
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

// JoinScopes formats scopes as a comma-separated list.
func JoinScopes(scopes []KeyScope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

// APIKey is the stored form of an API key: everything but the secret.
type APIKey struct {
	ID         string     `json:"id"` // unique over all organizations
	OrgID      string     `json:"org_id"`
	Name       string     `json:"name"`   // chosen by the owner
	Prefix     string     `json:"prefix"` // first characters of the key, to recognize it
	Hash       []byte     `json:"hash"`   // keyed hash (HMAC) of the whole key
	Scopes     []KeyScope `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"` // nil until used; up to about a minute behind
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`   // nil while the key is valid
}

// IsLive reports whether the key is not revoked.
func (k APIKey) IsLive() bool { return k.RevokedAt == nil }

// HasScope reports whether the key grants scope; a revoked key grants none.
func (k APIKey) HasScope(scope KeyScope) bool { return k.IsLive() && AllowsScope(k.Scopes, scope) }

// plainKey is APIKey without its JSON methods.
type plainKey APIKey

// keyRecord is the JSON form of an API key in the store.
type keyRecord struct {
	plainKey
	// FineScopes says that the scope calls means calls:read and calls:write only. Keys from before these scopes existed
	// lack it: their scope calls granted the whole call platform.
	FineScopes bool `json:"fine_scopes"`
}

// MarshalJSON implements [json.Marshaler].
func (k APIKey) MarshalJSON() ([]byte, error) { return json.Marshal(keyRecord{plainKey(k), true}) }

// UnmarshalJSON implements [json.Unmarshaler]. A key from before the finer scopes gets the scopes that its calls scope
// included, so that it keeps its permissions.
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

// inOrder returns scopes in display order, without duplicates.
func inOrder(scopes []KeyScope) []KeyScope {
	return slices.DeleteFunc(AllScopes(), func(s KeyScope) bool { return !slices.Contains(scopes, s) })
}

// maxKeyName is the longest name of a key, in characters.
const maxKeyName = 80

// CheckKeyName checks a key's name: 1 to 80 printable characters.
func CheckKeyName(name string) error {
	n := utf8.RuneCountInString(name)
	if strings.TrimSpace(name) == "" || n > maxKeyName || !utf8.ValidString(name) {
		return fmt.Errorf("a key's name must have 1 to %d characters", maxKeyName)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("a key's name must contain only printable characters")
	}
	return nil
}
