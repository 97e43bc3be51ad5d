package account_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
)

func TestCheckID(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{
		account.Default: true, "a": true, "bakery-2_riyadh": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "A": false, "a/b": false, "مطعم": false, "a b": false, "a\x00": false,
	} {
		if err := account.CheckID(id); (err == nil) != ok {
			t.Errorf("CheckID(%q) = %v, want ok %v", id, err, ok)
		}
	}
}

func TestParseScopes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
		fails string
	}{
		{names: []string{"stt"}, want: "stt"},
		{names: []string{"admin", "stt", "admin"}, want: "stt,admin"},
		{names: []string{"calls", "admin", "stt"}, want: "stt,calls,admin"},
		{names: []string{"stt", "root"}, fails: `"root"`},
		{names: []string{"STT"}, fails: `"STT"`},
		{names: nil, fails: "no scope"},
	} {
		scopes, err := account.ParseScopes(c.names)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("ParseScopes(%q) = %v, want an error naming %s", c.names, err, c.fails)
			}
			continue
		}
		if err != nil || account.JoinScopes(scopes) != c.want {
			t.Errorf("ParseScopes(%q) = %q, %v, want %q", c.names, account.JoinScopes(scopes), err, c.want)
		}
	}
}

func TestCallsMeansReadingAndWriting(t *testing.T) {
	t.Parallel()
	for scope, want := range map[account.KeyScope]bool{
		account.ScopeCalls: true, account.ScopeCallsRead: true, account.ScopeCallsWrite: true, account.ScopeSettings: false,
		account.ScopeErasePeople: false, account.ScopeSTT: false, account.ScopeAdmin: false,
	} {
		if account.AllowsScope([]account.KeyScope{account.ScopeCalls}, scope) != want {
			t.Errorf("calls allows %s: %v", scope, !want)
		}
	}
	if account.AllowsScope([]account.KeyScope{account.ScopeCallsRead}, account.ScopeCalls) || account.AllowsScope(nil, account.ScopeSTT) {
		t.Error("reading calls is not all of calls")
	}
}

// TestKeysFromBeforeFinerScopes: keys stored before the finer scopes keep their permissions; new keys have only the
// scopes that they list.
func TestKeysFromBeforeFinerScopes(t *testing.T) {
	t.Parallel()
	var old account.APIKey
	if err := json.Unmarshal([]byte(`{"id":"k","org_id":"o","hash":"aGFzaA==","scopes":["calls","stt"]}`), &old); err != nil {
		t.Fatal(err)
	}
	if got := account.JoinScopes(old.Scopes); got != "stt,calls,settings,people:erase" || old.ID != "k" || string(old.Hash) != "hash" {
		t.Errorf("an old key has %s: %+v", got, old)
	}
	for _, key := range []account.APIKey{old, {ID: "n", Scopes: []account.KeyScope{account.ScopeCalls}, Hash: []byte("x")}} {
		raw, err := json.Marshal(key)
		if err != nil {
			t.Fatal(err)
		}
		var again account.APIKey
		if err := json.Unmarshal(raw, &again); err != nil || !reflect.DeepEqual(again, key) {
			t.Errorf("%+v comes back as %+v, %v", key, again, err)
		}
	}
}

func TestRevokedKeyAllowsNothing(t *testing.T) {
	t.Parallel()
	key := account.APIKey{Scopes: []account.KeyScope{account.ScopeSTT, account.ScopeAdmin}}
	if !key.IsLive() || !key.HasScope(account.ScopeSTT) || key.HasScope(account.ScopeCalls) {
		t.Fatal("a live key allows its scopes and no other")
	}
	key.RevokedAt = &time.Time{}
	if key.IsLive() || slices.ContainsFunc(account.AllScopes(), key.HasScope) {
		t.Fatal("a revoked key still allows something")
	}
}
