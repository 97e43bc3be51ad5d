package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/auth"
	"munadi/store/account"
)

// TestGuardEndsWithTheAccess checks that a guarded context ends within 5 s of the revocation, with the given cause, and
// that a failing check does not end it.
func TestGuardEndsWithTheAccess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testGuardEnds)
}

func testGuardEnds(t *testing.T) {
	t.Helper()
	var alive, lost atomic.Bool
	alive.Store(true)
	check := func(context.Context) (bool, error) {
		if lost.Load() {
			return false, errors.New("the database is away")
		}
		return alive.Load(), nil
	}
	guarded, stop := auth.GuardAccess(t.Context(), check, auth.ErrRevoked)
	defer stop()
	lost.Store(true)
	alive.Store(false)
	select {
	case <-guarded.Done():
		t.Fatal("a check that failed ended the access")
	case <-time.After(2500 * time.Millisecond):
	}
	lost.Store(false)
	revoked := time.Now()
	<-guarded.Done()
	if took := time.Since(revoked); took > 5*time.Second || !errors.Is(context.Cause(guarded), auth.ErrRevoked) {
		t.Errorf("ended after %v by %v", took, context.Cause(guarded))
	}
}

func TestGuardIsReleased(t *testing.T) {
	t.Parallel()
	for name, alive := range map[string]auth.AccessCheck{
		"none": nil, "yes": func(context.Context) (bool, error) { return true, nil },
	} {
		guarded, stop := auth.GuardAccess(t.Context(), alive, auth.ErrRevoked)
		if guarded.Err() != nil {
			t.Errorf("%s: it has ended", name)
		}
		if stop(); guarded.Err() == nil || errors.Is(context.Cause(guarded), auth.ErrRevoked) {
			t.Errorf("%s: %v", name, context.Cause(guarded))
		}
	}
}

// TestKeyAlive checks that a principal's access check follows the revocation of its key, also by another appliance on
// the same store.
func TestKeyAlive(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	keys := auth.NewKeyVerifier(h.store, auth.InstallationSecret{1}, h.currentTime, slog.New(slog.DiscardHandler))
	other := auth.NewKeyVerifier(h.store, auth.InstallationSecret{1}, h.currentTime, slog.New(slog.DiscardHandler))
	key, plain, err := keys.IssueKey(t.Context(), account.Default, "shop", account.AllScopes(), "test")
	if err != nil {
		t.Fatal(err)
	}
	who, err := keys.VerifyKey(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	if yes, err := who.Alive(t.Context()); !yes || err != nil {
		t.Errorf("a live key: %v, %v", yes, err)
	}
	if _, err := other.RevokeKey(t.Context(), key.ID, "test"); err != nil {
		t.Fatal(err)
	}
	if yes, err := who.Alive(t.Context()); yes || err != nil {
		t.Errorf("a revoked key: %v, %v", yes, err)
	}
	h.advanceTime(4 * time.Second)
	if _, err := keys.VerifyKey(t.Context(), plain); err == nil {
		t.Error("a key that another appliance revoked opens this one 4 s later")
	}
}

// TestOpenPageDoesNotExtendTheSession checks that the check of an open page does not extend its session.
func TestOpenPageDoesNotExtendTheSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	token, _, err := h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	for range 11 {
		h.advanceTime(time.Hour)
		if _, _, err := h.PeekSession(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	h.advanceTime(time.Hour)
	if _, _, err := h.PeekSession(t.Context(), token); err == nil {
		t.Error("peeking put the end of the session off")
	}
}
