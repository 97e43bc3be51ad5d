package org_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store/org"
)

func TestCheckID(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{
		org.Default: true, "a": true, "bakery-2_riyadh": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "A": false, "a/b": false, "مطعم": false, "a b": false, "a\x00": false,
	} {
		if err := org.CheckID(id); (err == nil) != ok {
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
		scopes, err := org.ParseScopes(c.names)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("ParseScopes(%q) = %v, want an error naming %s", c.names, err, c.fails)
			}
			continue
		}
		if err != nil || org.Join(scopes) != c.want {
			t.Errorf("ParseScopes(%q) = %q, %v, want %q", c.names, org.Join(scopes), err, c.want)
		}
	}
}

func TestCallsMeansReadingAndWriting(t *testing.T) {
	t.Parallel()
	for scope, want := range map[org.Scope]bool{
		org.ScopeCalls: true, org.ScopeCallsRead: true, org.ScopeCallsWrite: true, org.ScopeSettings: false,
		org.ScopeErasePeople: false, org.ScopeSTT: false, org.ScopeAdmin: false,
	} {
		if org.Allow([]org.Scope{org.ScopeCalls}, scope) != want {
			t.Errorf("calls allows %s: %v", scope, !want)
		}
	}
	if org.Allow([]org.Scope{org.ScopeCallsRead}, org.ScopeCalls) || org.Allow(nil, org.ScopeSTT) {
		t.Error("reading calls is not all of calls")
	}
}

// TestKeysFromBeforeFinerScopes: they open what they opened; new ones only what they name.
func TestKeysFromBeforeFinerScopes(t *testing.T) {
	t.Parallel()
	var old org.Key
	if err := json.Unmarshal([]byte(`{"id":"k","org_id":"o","hash":"aGFzaA==","scopes":["calls","stt"]}`), &old); err != nil {
		t.Fatal(err)
	}
	if got := org.Join(old.Scopes); got != "stt,calls,settings,people:erase" || old.ID != "k" || string(old.Hash) != "hash" {
		t.Errorf("an old key has %s: %+v", got, old)
	}
	for _, key := range []org.Key{old, {ID: "n", Scopes: []org.Scope{org.ScopeCalls}, Hash: []byte("x")}} {
		raw, err := json.Marshal(key)
		if err != nil {
			t.Fatal(err)
		}
		var again org.Key
		if err := json.Unmarshal(raw, &again); err != nil || !reflect.DeepEqual(again, key) {
			t.Errorf("%+v comes back as %+v, %v", key, again, err)
		}
	}
}

func TestRevokedKeyAllowsNothing(t *testing.T) {
	t.Parallel()
	key := org.Key{Scopes: []org.Scope{org.ScopeSTT, org.ScopeAdmin}}
	if !key.Live() || !key.Has(org.ScopeSTT) || key.Has(org.ScopeCalls) {
		t.Fatal("a live key allows its scopes and no other")
	}
	key.RevokedAt = &time.Time{}
	if key.Live() || slices.ContainsFunc(org.Scopes(), key.Has) {
		t.Fatal("a revoked key still allows something")
	}
}
