package storetest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// testBootstrap: Bootstrap works once, completely or not at all.
func testBootstrap(t *testing.T, s store.Store) {
	first := account.Organization{ID: account.Default, Name: "Default", CreatedAt: startTime()}
	made, err := s.Bootstrap(t.Context(), first, &account.APIKey{ID: "a", OrgID: account.Default}, startTime())
	wantCode(t, "Bootstrap with a key without hash", err, store.CodeInvalid)
	if _, err := s.FindOrganization(t.Context(), account.Default); made || store.CodeOf(err) != store.CodeNotFound {
		t.Fatalf("a refused Bootstrap wrote something: %v, %v", made, err)
	}
	made, err = s.Bootstrap(t.Context(), first, firstKey(1), startTime())
	if wantCode(t, "Bootstrap", err, ""); !made {
		t.Fatal("the first Bootstrap did nothing")
	}
	made, err = s.Bootstrap(t.Context(), account.Organization{ID: "other"}, firstKey(3), startTime())
	if wantCode(t, "second Bootstrap", err, ""); made {
		t.Fatal("a second Bootstrap did something")
	}
	_, err = s.KeyByHash(t.Context(), keyHash(3))
	wantCode(t, "a second Bootstrap's key", err, store.CodeNotFound)
	k, err := s.KeyByHash(t.Context(), keyHash(1))
	if wantCode(t, "the first Bootstrap's key", err, ""); k.OrgID != account.Default {
		t.Fatalf("the first key belongs to %q", k.OrgID)
	}
}

// bootstrapWithOrganization: an organization that exists before Bootstrap is kept, and the first key is added.
func bootstrapWithOrganization(t *testing.T, s store.Store) {
	addOrganizations(t, s, account.Default)
	renamed := account.Organization{ID: account.Default, Name: "another name"}
	made, err := s.Bootstrap(t.Context(), renamed, firstKey(1), startTime())
	if wantCode(t, "Bootstrap", err, ""); !made {
		t.Fatal("an organization made by hand counts as the first start")
	}
	o, err := s.FindOrganization(t.Context(), account.Default)
	if wantCode(t, "Organization", err, ""); o.Name != "Organization "+account.Default {
		t.Fatalf("Bootstrap renamed the organization to %q", o.Name)
	}
	_, err = s.KeyByHash(t.Context(), keyHash(1))
	wantCode(t, "the key of Bootstrap", err, "")
}

// testOrganizations: organizations are created once each, found by id, and listed by id.
func testOrganizations(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	again := account.Organization{ID: "bakery", Name: "thief"}
	wantCode(t, "the same id again", s.CreateOrganization(t.Context(), again, asked), store.CodeConflict)
	for _, id := range []string{"", "a/b", "Upper", "قهوة"} {
		wantCode(t, "id "+id, s.CreateOrganization(t.Context(), account.Organization{ID: id}, asked), store.CodeInvalid)
	}
	o, err := s.FindOrganization(t.Context(), "bakery")
	wantCode(t, "Organization", err, "")
	if o.Name != "Organization bakery" || !o.CreatedAt.Equal(startTime()) {
		t.Errorf("read back %+v", o)
	}
	_, err = s.FindOrganization(t.Context(), "nobody")
	wantCode(t, "Organization nobody", err, store.CodeNotFound)
	all, err := s.ListOrganizations(t.Context())
	wantCode(t, "Organizations", err, "")
	if len(all) != 2 || all[0].ID != "airline" || all[1].ID != "bakery" {
		t.Errorf("listed %+v", all)
	}
}

// testKeys: keys are found by id and by hash, and listed oldest first, completely.
func testKeys(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	second, first := newKey("bakery", "one", 1), newKey("bakery", "two", 2)
	second.CreatedAt = first.CreatedAt.Add(time.Second)
	for _, k := range []account.APIKey{second, first, newKey("airline", "three", 3)} {
		wantCode(t, "CreateKey "+k.ID, s.CreateKey(t.Context(), k, asked), "")
	}
	wantCode(t, "a key of nobody", s.CreateKey(t.Context(), newKey("nobody", "four", 4), asked), store.CodeNotFound)
	byHash, err := s.KeyByHash(t.Context(), keyHash(2))
	wantCode(t, "KeyByHash", err, "")
	byID, err := s.FindKey(t.Context(), "two")
	wantCode(t, "Key", err, "")
	for _, k := range []account.APIKey{byHash, byID} {
		if k.ID != "two" || k.OrgID != "bakery" || k.Name != "key two" || !bytes.Equal(k.Hash, keyHash(2)) ||
			account.JoinScopes(k.Scopes) != "stt,calls" || !k.CreatedAt.Equal(first.CreatedAt) || k.LastUsedAt != nil || !k.IsLive() {
			t.Errorf("read back %+v", k)
		}
	}
	_, err = s.KeyByHash(t.Context(), keyHash(9))
	wantCode(t, "KeyByHash of nothing", err, store.CodeNotFound)
	_, err = s.FindKey(t.Context(), "nine")
	wantCode(t, "Key of nothing", err, store.CodeNotFound)
	list, err := s.ListKeys(t.Context(), "bakery")
	wantCode(t, "Keys", err, "")
	if len(list) != 2 || list[0].ID != "two" || list[1].ID != "one" {
		t.Errorf("listed %+v", list)
	}
}

// keyConflicts: an id or a hash in use in any organization is refused, and nothing is written.
func keyConflicts(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	wantCode(t, "CreateKey", s.CreateKey(t.Context(), newKey("bakery", "one", 1), asked), "")
	wantCode(t, "same id", s.CreateKey(t.Context(), newKey("airline", "one", 2), asked), store.CodeConflict)
	wantCode(t, "same hash", s.CreateKey(t.Context(), newKey("airline", "two", 1), asked), store.CodeConflict)
	wantCode(t, "id with a slash", s.CreateKey(t.Context(), newKey("airline", "a/b", 3), asked), store.CodeInvalid)
	wantCode(t, "no hash", s.CreateKey(t.Context(), account.APIKey{ID: "x", OrgID: "airline"}, asked), store.CodeInvalid)
	list, err := s.ListKeys(t.Context(), "airline")
	wantCode(t, "Keys", err, "")
	_, err = s.KeyByHash(t.Context(), keyHash(2))
	wantCode(t, "hash of a refused key", err, store.CodeNotFound)
	if len(list) != 0 {
		t.Errorf("refused keys are listed: %+v", list)
	}
}

// keyRevoked: a key is revoked permanently, the first time counts, and only its own organization can revoke it.
func keyRevoked(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	wantCode(t, "CreateKey", s.CreateKey(t.Context(), newKey("bakery", "one", 1), asked), "")
	_, err := s.RevokeKey(t.Context(), "airline", "one", asked, startTime())
	wantCode(t, "revoked by another organization", err, store.CodeNotFound)
	for _, after := range []time.Duration{time.Hour, 2 * time.Hour} {
		k, err := s.RevokeKey(t.Context(), "bakery", "one", asked, startTime().Add(after))
		wantCode(t, "RevokeKey", err, "")
		if k.RevokedAt == nil || !k.RevokedAt.Equal(startTime().Add(time.Hour)) {
			t.Errorf("revoked at %v", k.RevokedAt)
		}
	}
	k, err := s.KeyByHash(t.Context(), keyHash(1))
	if wantCode(t, "KeyByHash", err, ""); k.IsLive() {
		t.Error("a revoked key is read back live")
	}
	wantCode(t, "its hash again", s.CreateKey(t.Context(), newKey("bakery", "two", 1), asked), store.CodeConflict)
}

// keyTouched: the latest use is stored, regardless of the order of the calls, and a revoked key stays revoked.
func keyTouched(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	wantCode(t, "CreateKey", s.CreateKey(t.Context(), newKey("bakery", "one", 1), asked), "")
	_, err := s.RevokeKey(t.Context(), "bakery", "one", asked, startTime())
	wantCode(t, "RevokeKey", err, "")
	for _, after := range []time.Duration{time.Minute, time.Hour, time.Second} {
		wantCode(t, "TouchKey", s.TouchKey(t.Context(), "bakery", "one", startTime().Add(after)), "")
	}
	k, err := s.FindKey(t.Context(), "one")
	wantCode(t, "Key", err, "")
	if k.LastUsedAt == nil || !k.LastUsedAt.Equal(startTime().Add(time.Hour)) || k.IsLive() {
		t.Errorf("read back %+v", k)
	}
	wantCode(t, "a key of nobody", s.TouchKey(t.Context(), "bakery", "nine", startTime()), store.CodeNotFound)
}

// newKey returns a valid key whose hash is made of n.
func newKey(orgID, id string, n byte) account.APIKey {
	return account.APIKey{
		ID: id, OrgID: orgID, Name: "key " + id, Prefix: "mnd_" + id, Hash: keyHash(n),
		Scopes: []account.KeyScope{account.ScopeSTT, account.ScopeCalls}, CreatedAt: startTime(),
	}
}

// firstKey returns a key of the default organization whose hash is made of n.
func firstKey(n byte) *account.APIKey {
	k := newKey(account.Default, fmt.Sprint("first", n), n)
	return &k
}

// keyHash returns a key's hash made of n.
func keyHash(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }
