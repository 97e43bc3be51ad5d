package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// resettingStore is a store in which a password is reset right before or after one of its methods.
type resettingStore struct {
	auth.UserStore
	beforeSession, afterRead func()
}

func (s resettingStore) CreateSession(ctx context.Context, session account.UserSession) error {
	s.beforeSession()
	return s.UserStore.CreateSession(ctx, session)
}

func (s resettingStore) UserByName(ctx context.Context, name string) (account.User, error) {
	u, err := s.UserStore.UserByName(ctx, name)
	s.afterRead()
	return u, err
}

// TestResetDuringSignIn: the old password opens no session, and does not replace the new one, when the password is
// reset while a sign-in with the old one is under way.
func TestResetDuringSignIn(t *testing.T) {
	t.Parallel()
	const latest = "another falcon over the hill"
	for what, weak := range map[string]bool{"a hash of today": false, "a hash with old parameters": true} {
		for where := range 2 {
			h := newHouse(t)
			u := h.addUser(t, "amal")
			if weak {
				weaken := func(u *account.User) error { u.Password = auth.WeakHash(goodPassword); return nil }
				if _, err := h.store.ChangeUser(t.Context(), u.ID, "user.password", "test", h.currentTime(), weaken); err != nil {
					t.Fatal(err)
				}
			}
			reset := func() {
				if err := h.SetPassword(t.Context(), u, latest, "test", nil); err != nil {
					t.Error(err)
				}
			}
			s := resettingStore{h.store, func() {}, reset}
			if where == 1 {
				s = resettingStore{h.store, reset, func() {}}
			}
			racing := auth.NewAccounts(s, auth.InstallationSecret{1}, h.currentTime, slog.New(slog.DiscardHandler))
			if token, _, err := racing.SignIn(t.Context(), "amal", goodPassword, here); !errors.Is(err, auth.ErrWrong) || token != "" {
				t.Errorf("%s, %d: the old password gives %q, %v", what, where, token, err)
			}
			if all, err := h.store.ListSessions(t.Context(), u.ID, h.currentTime()); err != nil || len(all) > 0 {
				t.Errorf("%s, %d: %d sessions remain, %v", what, where, len(all), err)
			}
			if _, _, err := h.SignIn(t.Context(), "amal", latest, here); err != nil {
				t.Errorf("%s, %d: the new password: %v", what, where, err)
			}
		}
	}
}

// TestResetDuringChange: a user who was read before a reset does not change the password that the reset set.
func TestResetDuringChange(t *testing.T) {
	t.Parallel()
	const latest = "another falcon over the hill"
	h := newHouse(t)
	u := h.addUser(t, "amal")
	token, _, err := h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	session, before, err := h.LookUpSession(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.SetPassword(t.Context(), u, latest, "test", nil); err != nil {
		t.Fatal(err)
	}
	err = h.ChangePassword(t.Context(), before, session, goodPassword, "the intruder's own choice")
	if !errors.Is(err, auth.ErrWrong) {
		t.Errorf("the change: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", latest, here); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// slowAudit is a store with one user, which takes a while to write an audit entry.
type slowAudit struct{ auth.UserStore }

func (slowAudit) UserByName(_ context.Context, name string) (account.User, error) {
	if name == "amal" {
		return account.User{ID: "1", OrgID: account.Default, Name: name, Password: auth.WeakHash(goodPassword)}, nil
	}
	return account.User{}, store.Errorf(store.CodeNotFound, "no such user")
}

func (slowAudit) AddAudit(context.Context, string, store.AuditEntry) error {
	<-time.After(20 * time.Millisecond)
	return nil
}

// TestRefusalTimeHidesUserNames checks that the duration of a refused sign-in does not reveal whether the user exists.
func TestRefusalTimeHidesUserNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := auth.NewAccounts(slowAudit{}, auth.InstallationSecret{1}, time.Now, slog.New(slog.DiscardHandler))
		took := map[string]time.Duration{}
		for _, name := range []string{"amal", "nobody", "a/b"} {
			start := time.Now()
			if _, _, err := a.SignIn(t.Context(), name, "wrong password", here); !errors.Is(err, auth.ErrWrong) {
				t.Errorf("%s: %v", name, err)
			}
			took[name] = time.Since(start)
		}
		if took["amal"] != took["nobody"] || took["amal"] != took["a/b"] {
			t.Errorf("refusals took %v", took)
		}
	})
}
