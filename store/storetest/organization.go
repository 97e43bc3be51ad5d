package storetest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// bootstrap: happens once, whole or not at all.
func bootstrap(t *testing.T, s store.Store) {
	first := org.Organization{ID: org.Default, Name: "Default", CreatedAt: clock()}
	made, err := s.Bootstrap(t.Context(), first, &org.Key{ID: "a", OrgID: org.Default}, clock())
	wantCode(t, "Bootstrap with a key without hash", err, store.CodeInvalid)
	if _, err := s.Organization(t.Context(), org.Default); made || store.CodeOf(err) != store.CodeNotFound {
		t.Fatalf("a refused Bootstrap left something behind: %v, %v", made, err)
	}
	made, err = s.Bootstrap(t.Context(), first, firstKey(1), clock())
	if wantCode(t, "Bootstrap", err, ""); !made {
		t.Fatal("the first Bootstrap did nothing")
	}
	made, err = s.Bootstrap(t.Context(), org.Organization{ID: "other"}, firstKey(3), clock())
	if wantCode(t, "second Bootstrap", err, ""); made {
		t.Fatal("a second Bootstrap did something")
	}
	_, err = s.KeyByHash(t.Context(), hash(3))
	wantCode(t, "a second Bootstrap's key", err, store.CodeNotFound)
	k, err := s.KeyByHash(t.Context(), hash(1))
	if wantCode(t, "the first Bootstrap's key", err, ""); k.OrgID != org.Default {
		t.Fatalf("the first key belongs to %q", k.OrgID)
	}
}

// bootstrapBesideOrganization: an organization made before the first start is kept, and the first start's key added.
func bootstrapBesideOrganization(t *testing.T, s store.Store) {
	addOrganizations(t, s, org.Default)
	renamed := org.Organization{ID: org.Default, Name: "another name"}
	made, err := s.Bootstrap(t.Context(), renamed, firstKey(1), clock())
	if wantCode(t, "Bootstrap", err, ""); !made {
		t.Fatal("an organization made by hand counts as the first start")
	}
	o, err := s.Organization(t.Context(), org.Default)
	if wantCode(t, "Organization", err, ""); o.Name != "Organization "+org.Default {
		t.Fatalf("Bootstrap renamed the organization to %q", o.Name)
	}
	_, err = s.KeyByHash(t.Context(), hash(1))
	wantCode(t, "the key of Bootstrap", err, "")
}

// organizations: created once each, found by id, listed by id.
func organizations(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	again := org.Organization{ID: "bakery", Name: "thief"}
	wantCode(t, "the same id again", s.CreateOrganization(t.Context(), again), store.CodeConflict)
	for _, id := range []string{"", "a/b", "Upper", "قهوة"} {
		wantCode(t, "id "+id, s.CreateOrganization(t.Context(), org.Organization{ID: id}), store.CodeInvalid)
	}
	o, err := s.Organization(t.Context(), "bakery")
	wantCode(t, "Organization", err, "")
	if o.Name != "Organization bakery" || !o.CreatedAt.Equal(clock()) {
		t.Errorf("read back %+v", o)
	}
	_, err = s.Organization(t.Context(), "nobody")
	wantCode(t, "Organization nobody", err, store.CodeNotFound)
	all, err := s.Organizations(t.Context())
	wantCode(t, "Organizations", err, "")
	if len(all) != 2 || all[0].ID != "airline" || all[1].ID != "bakery" {
		t.Errorf("listed %+v", all)
	}
}

// keys: found by id and by hash, listed oldest first, whole.
func keys(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	second, first := newKey("bakery", "one", 1), newKey("bakery", "two", 2)
	second.CreatedAt = first.CreatedAt.Add(time.Second)
	for _, k := range []org.Key{second, first, newKey("airline", "three", 3)} {
		wantCode(t, "CreateKey "+k.ID, s.CreateKey(t.Context(), k), "")
	}
	wantCode(t, "a key of nobody", s.CreateKey(t.Context(), newKey("nobody", "four", 4)), store.CodeNotFound)
	byHash, err := s.KeyByHash(t.Context(), hash(2))
	wantCode(t, "KeyByHash", err, "")
	byID, err := s.Key(t.Context(), "two")
	wantCode(t, "Key", err, "")
	for _, k := range []org.Key{byHash, byID} {
		if k.ID != "two" || k.OrgID != "bakery" || k.Name != "key two" || !bytes.Equal(k.Hash, hash(2)) ||
			org.Join(k.Scopes) != "stt,calls" || !k.CreatedAt.Equal(first.CreatedAt) || k.LastUsedAt != nil || !k.Live() {
			t.Errorf("read back %+v", k)
		}
	}
	_, err = s.KeyByHash(t.Context(), hash(9))
	wantCode(t, "KeyByHash of nothing", err, store.CodeNotFound)
	_, err = s.Key(t.Context(), "nine")
	wantCode(t, "Key of nothing", err, store.CodeNotFound)
	list, err := s.Keys(t.Context(), "bakery")
	wantCode(t, "Keys", err, "")
	if len(list) != 2 || list[0].ID != "two" || list[1].ID != "one" {
		t.Errorf("listed %+v", list)
	}
}

// keyConflicts: an id or a hash in use is refused, over all organizations, and nothing of it stays.
func keyConflicts(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	wantCode(t, "CreateKey", s.CreateKey(t.Context(), newKey("bakery", "one", 1)), "")
	wantCode(t, "same id", s.CreateKey(t.Context(), newKey("airline", "one", 2)), store.CodeConflict)
	wantCode(t, "same hash", s.CreateKey(t.Context(), newKey("airline", "two", 1)), store.CodeConflict)
	wantCode(t, "id with a slash", s.CreateKey(t.Context(), newKey("airline", "a/b", 3)), store.CodeInvalid)
	wantCode(t, "no hash", s.CreateKey(t.Context(), org.Key{ID: "x", OrgID: "airline"}), store.CodeInvalid)
	list, err := s.Keys(t.Context(), "airline")
	wantCode(t, "Keys", err, "")
	_, err = s.KeyByHash(t.Context(), hash(2))
	wantCode(t, "hash of a refused key", err, store.CodeNotFound)
	if len(list) != 0 {
		t.Errorf("refused keys are listed: %+v", list)
	}
}

// keyRevoked: for good, at the first time, and only from within the organization.
func keyRevoked(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	wantCode(t, "CreateKey", s.CreateKey(t.Context(), newKey("bakery", "one", 1)), "")
	_, err := s.RevokeKey(t.Context(), "airline", "one", clock())
	wantCode(t, "revoked by another organization", err, store.CodeNotFound)
	for _, after := range []time.Duration{time.Hour, 2 * time.Hour} {
		k, err := s.RevokeKey(t.Context(), "bakery", "one", clock().Add(after))
		wantCode(t, "RevokeKey", err, "")
		if k.RevokedAt == nil || !k.RevokedAt.Equal(clock().Add(time.Hour)) {
			t.Errorf("revoked at %v", k.RevokedAt)
		}
	}
	k, err := s.KeyByHash(t.Context(), hash(1))
	if wantCode(t, "KeyByHash", err, ""); k.Live() {
		t.Error("a revoked key is read back live")
	}
	wantCode(t, "its hash again", s.CreateKey(t.Context(), newKey("bakery", "two", 1)), store.CodeConflict)
}

// keyTouched: the latest use counts, in whatever order they come, and a revoked key stays revoked.
func keyTouched(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	wantCode(t, "CreateKey", s.CreateKey(t.Context(), newKey("bakery", "one", 1)), "")
	_, err := s.RevokeKey(t.Context(), "bakery", "one", clock())
	wantCode(t, "RevokeKey", err, "")
	for _, after := range []time.Duration{time.Minute, time.Hour, time.Second} {
		wantCode(t, "TouchKey", s.TouchKey(t.Context(), "bakery", "one", clock().Add(after)), "")
	}
	k, err := s.Key(t.Context(), "one")
	wantCode(t, "Key", err, "")
	if k.LastUsedAt == nil || !k.LastUsedAt.Equal(clock().Add(time.Hour)) || k.Live() {
		t.Errorf("read back %+v", k)
	}
	wantCode(t, "a key of nobody", s.TouchKey(t.Context(), "bakery", "nine", clock()), store.CodeNotFound)
}

// newKey is a live key whose hash is made of n.
func newKey(orgID, id string, n byte) org.Key {
	return org.Key{
		ID: id, OrgID: orgID, Name: "key " + id, Prefix: "mnd_" + id, Hash: hash(n),
		Scopes: []org.Scope{org.ScopeSTT, org.ScopeCalls}, CreatedAt: clock(),
	}
}

// firstKey is a key of the default organization whose hash is made of n.
func firstKey(n byte) *org.Key {
	k := newKey(org.Default, fmt.Sprint("first", n), n)
	return &k
}

// hash is a key's hash made of n.
func hash(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }
