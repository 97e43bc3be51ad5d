package org_test

import (
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
