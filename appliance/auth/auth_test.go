package auth_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/memory"
)

// authFixture is a KeyVerifier on a real store, with a clock that tests advance.
type authFixture struct {
	*auth.KeyVerifier
	store   *memory.Store
	secret  auth.InstallationSecret
	lookups atomic.Int64
	seconds atomic.Int64
}

// KeyByHash counts the queries that reach the store.
func (b *authFixture) KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error) {
	b.lookups.Add(1)
	return b.store.KeyByHash(ctx, hash)
}

// countingKeyStore is the store with the fixture's KeyByHash.
type countingKeyStore struct {
	*memory.Store
	bench *authFixture
}

// KeyByHash implements auth.Keys.
func (c countingKeyStore) KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error) {
	return c.bench.KeyByHash(ctx, hash)
}

// currentTime returns the fixture's time.
func (b *authFixture) currentTime() time.Time { return time.Unix(1_800_000_000+b.seconds.Load(), 0) }

// newAuthFixture returns a fixture with the default organization.
func newAuthFixture(t *testing.T) *authFixture {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	b := &authFixture{store: s, secret: auth.InstallationSecret{1, 2, 3}}
	if _, err := auth.BootstrapOrganization(t.Context(), s, b.secret, "", b.currentTime()); err != nil {
		t.Fatal(err)
	}
	b.KeyVerifier = auth.NewKeyVerifier(countingKeyStore{s, b}, b.secret, b.currentTime, slog.New(slog.DiscardHandler))
	return b
}

// issueKey creates a key with scope stt.
func (b *authFixture) issueKey(t *testing.T) (account.APIKey, string) {
	t.Helper()
	key, plain, err := b.IssueKey(t.Context(), account.Default, "test", []account.KeyScope{account.ScopeSTT}, "test")
	if err != nil {
		t.Fatal(err)
	}
	return key, plain
}

// wantReason fails unless err is a refusal with that reason; empty means no error.
func wantReason(t *testing.T, err error, want auth.RefusalReason) {
	t.Helper()
	var refusal *auth.KeyRefusal
	switch {
	case want == "" && err != nil:
		t.Errorf("refused: %v", err)
	case want != "" && (!errors.As(err, &refusal) || refusal.Reason != want):
		t.Errorf("error %v (%+v), want a refusal because %s", err, refusal, want)
	}
}

func TestIssuedKeyOpens(t *testing.T) {
	t.Parallel()
	b := newAuthFixture(t)
	key, plain := b.issueKey(t)
	who, err := b.VerifyHeader(t.Context(), "Bearer "+plain)
	wantReason(t, err, "")
	if who.OrgID != account.Default || who.KeyID != key.ID || !who.HasScope(account.ScopeSTT) || who.HasScope(account.ScopeAdmin) {
		t.Errorf("verified as %+v", who)
	}
	if !strings.HasPrefix(plain, key.Prefix) || len(key.Prefix) != 12 || strings.Contains(fmt.Sprintf("%+v", key), plain) {
		t.Errorf("the record %+v shows too much or too little of the key", key)
	}
	for presented, reason := range map[string]auth.RefusalReason{
		"":                             auth.ReasonMissing,
		"Bearer":                       auth.ReasonMalformed,
		"Basic " + plain:               auth.ReasonMalformed,
		plain:                          auth.ReasonMalformed,
		"Bearer short":                 auth.ReasonMalformed,
		"Bearer a" + plain[1:]:         auth.ReasonUnknown,
		"Bearer " + auth.GenerateKey(): auth.ReasonUnknown,
		"Bearer " + plain + "x":        auth.ReasonUnknown,
		"Bearer " + plain[:20] + otherCharacter(plain[20]) + plain[21:]: auth.ReasonMistyped,
		"Bearer " + strings.ToLower(plain):                              auth.ReasonMistyped,
	} {
		_, err := b.VerifyHeader(t.Context(), presented)
		wantReason(t, err, reason)
		if err != nil && err.Error() != (&auth.KeyRefusal{}).Error() {
			t.Errorf("a %s credential learns %q", reason, err)
		}
	}
}

// otherCharacter returns a base62 character other than c.
func otherCharacter(c byte) string {
	if c == 'x' {
		return "y"
	}
	return "x"
}

func TestCacheSparesTheStore(t *testing.T) {
	t.Parallel()
	b := newAuthFixture(t)
	_, plain := b.issueKey(t)
	for range 100 {
		if _, err := b.VerifyKey(t.Context(), plain); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.lookups.Load(); n != 1 {
		t.Errorf("100 verifications asked the store %d times", n)
	}
	b.seconds.Add(3600)
	if _, err := b.VerifyKey(t.Context(), plain); err != nil || b.lookups.Load() != 2 {
		t.Errorf("an hour later: %v, %d lookups", err, b.lookups.Load())
	}
}

func TestRevocationCountsAtOnce(t *testing.T) {
	t.Parallel()
	b := newAuthFixture(t)
	key, plain := b.issueKey(t)
	other, otherPlain := b.issueKey(t)
	if _, err := b.VerifyKey(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	if _, err := b.RevokeOwn(t.Context(), "airline", key.ID, "test"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("revoked by another organization: %v", err)
	}
	if revoked, err := b.RevokeKey(t.Context(), key.ID, "test"); err != nil || revoked.IsLive() {
		t.Fatalf("Revoke: %+v, %v", revoked, err)
	}
	_, err := b.VerifyKey(t.Context(), plain)
	wantReason(t, err, auth.ReasonRevoked)
	who, err := b.VerifyKey(t.Context(), otherPlain)
	if wantReason(t, err, ""); who.KeyID != other.ID {
		t.Errorf("the other key is %+v", who)
	}
	if _, err := b.RevokeKey(t.Context(), "nothing", "test"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("Revoke of nothing: %v", err)
	}
}

// TestRevocationDuringVerify: a verification that begins after a revocation returned fails, even if a
// verification that was under way meanwhile has just found the key live.
func TestRevocationDuringVerify(t *testing.T) {
	t.Parallel()
	b := newAuthFixture(t)
	for range 50 {
		key, plain := b.issueKey(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { _, _ = b.VerifyKey(t.Context(), plain) })
		}
		if _, err := b.RevokeKey(t.Context(), key.ID, "test"); err != nil {
			t.Fatal(err)
		}
		_, err := b.VerifyKey(t.Context(), plain)
		wantReason(t, err, auth.ReasonRevoked)
		wg.Wait()
		_, err = b.VerifyKey(t.Context(), plain)
		wantReason(t, err, auth.ReasonRevoked)
	}
}

func TestStoreFailureIsNoRefusal(t *testing.T) {
	t.Parallel()
	b := newAuthFixture(t)
	_, plain := b.issueKey(t)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := b.VerifyKey(t.Context(), plain)
	var refusal *auth.KeyRefusal
	if err == nil || errors.As(err, &refusal) || strings.Contains(err.Error(), plain) {
		t.Errorf("with the store closed: %v", err)
	}
}

func TestLastUseIsRecordedLazily(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys := &touchCountingStore{hash: auth.InstallationSecret{}.HashKey("presented-by-somebody")}
		a := auth.NewKeyVerifier(keys, auth.InstallationSecret{}, time.Now, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- a.Run(ctx) }()
		for range 300 { // one every second, for five minutes
			if _, err := a.VerifyKey(ctx, "presented-by-somebody"); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if n := keys.times.Load(); n != 5 {
			t.Errorf("300 uses in five minutes made %d records", n)
		}
		time.Sleep(time.Hour)
		cancel()
		synctest.Wait()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if _, err := a.VerifyKey(t.Context(), "presented-by-somebody"); err != nil {
			t.Error(err)
		}
		if err := a.Run(ctx); err != nil || keys.times.Load() != 6 {
			t.Errorf("what waited at the end: %v, %d records", err, keys.times.Load())
		}
	})
}

// touchCountingStore is a store with one key that counts the recorded uses.
type touchCountingStore struct {
	auth.KeyStore
	hash  auth.KeyHash
	times atomic.Int64
}

// KeyByHash implements auth.Keys.
func (k *touchCountingStore) KeyByHash(context.Context, []byte) (account.APIKey, error) {
	return account.APIKey{ID: "k", OrgID: "o", Hash: k.hash[:], Scopes: account.AllScopes()}, nil
}

// TouchKey implements auth.Keys.
func (k *touchCountingStore) TouchKey(ctx context.Context, _, _ string, _ time.Time) error {
	k.times.Add(1)
	return ctx.Err()
}

func TestBootstrap(t *testing.T) {
	t.Parallel()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	secret, now := auth.InstallationSecret{7}, time.Unix(1_800_000_000, 0)
	if _, err := auth.BootstrapOrganization(t.Context(), s, secret, "too short", now); err == nil {
		t.Fatal("a short key was accepted")
	}
	const chosen = "mnd_the operator's own مفتاح" // begins like a generated one, and has no checksum
	if first, err := auth.BootstrapOrganization(t.Context(), s, secret, chosen, now); err != nil || !first {
		t.Fatalf("first start: %v, %v", first, err)
	}
	if first, err := auth.BootstrapOrganization(t.Context(), s, secret, "another-key-of-theirs", now); err != nil || first {
		t.Fatalf("second start: %v, %v", first, err)
	}
	a := auth.NewKeyVerifier(s, secret, time.Now, slog.New(slog.DiscardHandler))
	who, err := a.VerifyHeader(t.Context(), "bearer   "+chosen+" ")
	wantReason(t, err, "")
	if who.OrgID != account.Default || len(who.Scopes) != len(account.AllScopes()) {
		t.Errorf("the first key is %+v", who)
	}
	_, err = a.VerifyKey(t.Context(), "another-key-of-theirs")
	wantReason(t, err, auth.ReasonUnknown)
	_, err = auth.NewKeyVerifier(s, auth.InstallationSecret{8}, time.Now, slog.New(slog.DiscardHandler)).VerifyKey(t.Context(), chosen)
	wantReason(t, err, auth.ReasonUnknown)
	keys, err := s.ListKeys(t.Context(), account.Default)
	if err != nil || len(keys) != 1 || len([]rune(keys[0].Prefix)) > len([]rune(chosen))/4 {
		t.Errorf("recorded %+v, %v", keys, err)
	}
}
