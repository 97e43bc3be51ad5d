package auth_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/memory"
)

const goodPassword = "صقر يطير فوق الجبل"

// accountsFixture is an AccountService on a real store, with a clock that tests advance.
type accountsFixture struct {
	*auth.AccountService
	store   *memory.Store
	seconds atomic.Int64
}

func (h *accountsFixture) currentTime() time.Time {
	return time.Unix(1_800_000_000+h.seconds.Load(), 0)
}

func (h *accountsFixture) advanceTime(d time.Duration) { h.seconds.Add(int64(d / time.Second)) }

func newHouse(t *testing.T) *accountsFixture {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	h := &accountsFixture{store: s}
	if _, err := auth.BootstrapOrganization(t.Context(), s, auth.InstallationSecret{1}, "", h.currentTime()); err != nil {
		t.Fatal(err)
	}
	h.AccountService = auth.NewAccounts(s, auth.InstallationSecret{1}, h.currentTime, slog.New(slog.DiscardHandler))
	return h
}

// addUser adds a user with the valid password.
func (h *accountsFixture) addUser(t *testing.T, name string) account.User {
	t.Helper()
	u, err := h.CreateUser(t.Context(), account.Default, name, account.Owner, goodPassword, "test")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var here = auth.SignInOrigin{Address: "192.0.2.7", Agent: "test"}

func TestSignIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "Amal")
	if !strings.HasPrefix(u.Password, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(u.Password, goodPassword) {
		t.Errorf("the password is kept as %s", u.Password)
	}
	first, got, err := h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil || got.ID != u.ID {
		t.Fatalf("SignIn: %+v, %v", got, err)
	}
	second, _, err := h.SignIn(t.Context(), "Amal", goodPassword, here)
	if err != nil || first == second {
		t.Fatalf("the second sign-in has the first one's token, or %v", err)
	}
	s, got, err := h.LookUpSession(t.Context(), first)
	if err != nil || got.ID != u.ID || s.Address != here.Address || strings.Contains(fmt.Sprintf("%q %x", s.Hash, s.Hash), first) {
		t.Errorf("the session is %+v of %+v, %v", s, got, err)
	}
	other, _, _ := h.LookUpSession(t.Context(), second)
	if h.CSRFToken(s) == "" || h.CSRFToken(s) == h.CSRFToken(other) {
		t.Error("forms of two sessions carry the same token")
	}
	if err := h.SignOut(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	for what, token := range map[string]string{"ended": first, "none": "", "short": first[:20], "forged": strings.Repeat("A", len(first))} {
		if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
			t.Errorf("a session that is %s: %v", what, err)
		}
	}
	if _, _, err := h.LookUpSession(t.Context(), second); err != nil {
		t.Errorf("the other session ended too: %v", err)
	}
}

func TestWrongCredentialsLookAlike(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	now := h.currentTime()
	if _, err := h.store.ChangeUser(t.Context(), h.addUser(t, "zaid").ID, "user.disable", "test", now, func(u *account.User) error {
		u.DisabledAt = &now
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for name, password := range map[string]string{"amal": "wrong password", "nobody": goodPassword, "zaid": goodPassword, "a/b": "x", "": ""} {
		if token, got, err := h.SignIn(t.Context(), name, password, here); !errors.Is(err, auth.ErrWrong) || token != "" || got.ID != "" {
			t.Errorf("%q: %q %+v %v", name, token, got, err)
		}
	}
	trail, err := h.store.AuditTrail(t.Context(), account.Default, 10, "")
	if err != nil || trail.Items[0].Action != "user.sign_in_refused" && trail.Items[1].Action != "user.sign_in_refused" {
		t.Errorf("the trail is %+v, %v", trail.Items, err)
	}
}

// TestLockOut checks that failed sign-ins delay an account, from any address, and that the right password is refused
// during the lockout.
func TestLockOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	attempt := func(address, password string) error {
		_, _, err := h.SignIn(t.Context(), "amal", password, auth.SignInOrigin{Address: address})
		return err
	}
	for i := range 5 {
		if err := attempt(fmt.Sprintf("192.0.2.%d", i), "wrong password"); !errors.Is(err, auth.ErrWrong) {
			t.Fatalf("attempt %d: %v", i, err)
		}
	}
	var locked *auth.LockedError
	if err := attempt("198.51.100.1", goodPassword); !errors.As(err, &locked) || locked.Until.Sub(h.currentTime()) > 30*time.Second {
		t.Fatalf("after five failures: %v", err)
	}
	if err := func() error { _, _, err := h.SignIn(t.Context(), "AMAL", goodPassword, here); return err }(); !errors.As(err, &locked) {
		t.Errorf("the name in another case: %v", err)
	}
	var last time.Duration
	for range 8 {
		h.advanceTime(locked.Until.Sub(h.currentTime()))
		if err := attempt("198.51.100.1", "wrong password"); !errors.Is(err, auth.ErrWrong) {
			t.Fatalf("after the lock: %v", err)
		}
		if err := attempt("198.51.100.1", "wrong password"); !errors.As(err, &locked) {
			t.Fatalf("a failure after the lock: %v", err)
		}
		wait := locked.Until.Sub(h.currentTime())
		if wait < last || wait > 15*time.Minute {
			t.Errorf("waits %v after %v", wait, last)
		}
		last = wait
	}
	if last != 15*time.Minute {
		t.Errorf("the longest wait is %v", last)
	}
	h.advanceTime(last)
	if err := attempt("198.51.100.1", goodPassword); err != nil {
		t.Fatalf("the right password after the lock: %v", err)
	}
	if err := attempt("198.51.100.1", "wrong password"); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("the first failure after a success: %v", err)
	}
}

// TestUncheckedPasswordIsNoFailure: an attempt whose password was not checked, as when the browser left, does not count
// towards the lockout.
func TestUncheckedPasswordIsNoFailure(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 30 {
		if _, _, err := h.SignIn(gone, "amal", "wrong password", here); !errors.Is(err, context.Canceled) {
			t.Fatalf("attempt %d of who has left: %v", i, err)
		}
	}
	for range 5 {
		if _, _, err := h.SignIn(t.Context(), "amal", "wrong password", here); !errors.Is(err, auth.ErrWrong) {
			t.Fatalf("a wrong password: %v", err)
		}
	}
	var locked *auth.LockedError
	for _, ctx := range []context.Context{gone, t.Context()} {
		if _, _, err := h.SignIn(ctx, "amal", goodPassword, here); !errors.As(err, &locked) {
			t.Errorf("after five failures: %v", err)
		}
	}
}

func TestLockOutOfAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	var err error
	for i := range 20 {
		_, _, err = h.SignIn(t.Context(), fmt.Sprint("nobody", i), "wrong password", auth.SignInOrigin{Address: fmt.Sprintf("2001:db8::%x", i)})
		if !errors.Is(err, auth.ErrWrong) {
			t.Fatalf("attempt %d: %v", i, err)
		}
	}
	var locked *auth.LockedError
	if _, _, err = h.SignIn(t.Context(), "amal", goodPassword, auth.SignInOrigin{Address: "2001:db8::ffff"}); !errors.As(err, &locked) {
		t.Errorf("the same network after 20 failures: %v", err)
	}
	if _, _, err = h.SignIn(t.Context(), "amal", goodPassword, auth.SignInOrigin{Address: "2001:db8:0:1::1"}); err != nil {
		t.Errorf("another network: %v", err)
	}
	h.advanceTime(time.Hour / 2) // the lock is over, the failures still count
	for i := range 3 {
		if _, _, err = h.SignIn(t.Context(), "amal", goodPassword, auth.SignInOrigin{Address: "2001:db8::ffff"}); err != nil {
			t.Errorf("the right password %d after the lock: %v", i, err)
		}
	}
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	token, _, err := h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	began := h.currentTime()
	for h.currentTime().Sub(began) < 30*24*time.Hour-12*time.Hour { // used every eleven hours
		h.advanceTime(11 * time.Hour)
		if _, _, err := h.LookUpSession(t.Context(), token); err != nil {
			t.Fatalf("after %v: %v", h.currentTime().Sub(began), err)
		}
	}
	h.seconds.Store(int64(began.Add(30*24*time.Hour).Unix() - 1_800_000_000))
	if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("after 30 days: %v", err)
	}
	token, _, err = h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	h.advanceTime(12 * time.Hour)
	if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("after 12 idle hours: %v", err)
	}
	h.addUser(t, "second") // so that the first is not the last owner
	token, _, _ = h.SignIn(t.Context(), "amal", goodPassword, here)
	now := h.currentTime()
	if _, err := h.store.ChangeUser(t.Context(), u.ID, "user.disable", "test", now, func(u *account.User) error {
		u.DisabledAt = &now
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("of a disabled user: %v", err)
	}
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	mine, u, err := h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	other, _, _ := h.SignIn(t.Context(), "amal", goodPassword, here)
	s, _, err := h.LookUpSession(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	const next = "another good password"
	if err := h.ChangePassword(t.Context(), u, s, "wrong", next); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("with a wrong old one: %v", err)
	}
	var weak *auth.WeakPassword
	if err := h.ChangePassword(t.Context(), u, s, goodPassword, "short"); !errors.As(err, &weak) || weak.Why != auth.TooShort {
		t.Errorf("to a short one: %v", err)
	}
	if err := h.ChangePassword(t.Context(), u, s, goodPassword, next); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.LookUpSession(t.Context(), mine); err != nil {
		t.Errorf("the session that changed it ended: %v", err)
	}
	if _, _, err := h.LookUpSession(t.Context(), other); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another session lives on: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", goodPassword, here); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("the old password: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", next, here); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// TestOldHashIsRenewed checks that a hash with weaker parameters is accepted and replaced.
func TestOldHashIsRenewed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	// argon2id of "correct horse battery", m=64 KiB, t=1, p=1.
	u := account.User{
		ID: "u1", OrgID: account.Default, Name: "amal", Role: account.Owner, CreatedAt: h.currentTime(),
		Password: auth.WeakHash("correct horse battery"),
	}
	if err := h.store.CreateUser(t.Context(), u, "test"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := h.SignIn(t.Context(), "amal", "correct horse battery", here); err != nil {
			t.Fatal(err)
		}
	}
	found, err := h.store.FindUser(t.Context(), "u1")
	if err != nil || !strings.Contains(found.Password, "m=19456,t=2,p=1") {
		t.Errorf("the hash is %s, %v", found.Password, err)
	}
}

func TestFirstUserByPassword(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if _, err := h.BootstrapAdmin(t.Context(), "short"); err == nil || strings.Contains(err.Error(), `"short"`) {
		t.Errorf("a short password: %v", err)
	}
	token, err := h.BootstrapAdmin(t.Context(), "the operator's own")
	if err != nil || token != "" {
		t.Fatalf("Bootstrap: %q, %v", token, err)
	}
	if token, err = h.BootstrapAdmin(t.Context(), "another one later"); err != nil || token != "" {
		t.Errorf("the second start: %q, %v", token, err)
	}
	if token, err = h.BootstrapAdmin(t.Context(), ""); err != nil || token != "" {
		t.Errorf("the third start: %q, %v", token, err)
	}
	_, u, err := h.SignIn(t.Context(), auth.FirstUser, "the operator's own", here)
	if err != nil || !u.IsGovernor() {
		t.Errorf("the first user: %+v, %v", u, err)
	}
}

func TestSetUpLink(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	old, err := h.BootstrapAdmin(t.Context(), "")
	if err != nil || old == "" {
		t.Fatal(err)
	}
	token, err := h.BootstrapAdmin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for what, bad := range map[string]string{"an older link": old, "no token": "", "a forged one": token[:42] + "x"} {
		if _, _, err := h.SetUp(t.Context(), bad, goodPassword, here); !errors.Is(err, auth.ErrLink) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var weak *auth.WeakPassword
	if _, _, err := h.SetUp(t.Context(), token, "password1", here); !errors.As(err, &weak) || weak.Why != auth.Common {
		t.Errorf("a common password: %v", err)
	}
	session, u, err := h.SetUp(t.Context(), token, goodPassword, here)
	if err != nil || !u.IsGovernor() || u.Name != auth.FirstUser {
		t.Fatalf("SetUp: %+v, %v", u, err)
	}
	if _, _, err := h.LookUpSession(t.Context(), session); err != nil {
		t.Errorf("its session: %v", err)
	}
	if _, _, err := h.SetUp(t.Context(), token, goodPassword, here); !errors.Is(err, auth.ErrLink) {
		t.Errorf("used twice: %v", err)
	}
}

func TestSetUpLinkCloses(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, err := h.BootstrapAdmin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	h.advanceTime(30*time.Minute - time.Second)
	if err := h.CanSetUp(t.Context(), token); err != nil {
		t.Errorf("after 29 minutes: %v", err)
	}
	h.advanceTime(time.Second)
	if err := h.CanSetUp(t.Context(), token); !errors.Is(err, auth.ErrLink) {
		t.Errorf("after 30 minutes: %v", err)
	}
	if token, err = h.BootstrapAdmin(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	h.addUser(t, "made-by-command")
	if err := h.CanSetUp(t.Context(), token); !errors.Is(err, auth.ErrLink) {
		t.Errorf("with a user made meanwhile: %v", err)
	}
}

// TestManySignIns checks that each of many concurrent sign-ins is answered, and that those beyond the limit are refused
// instead of queued.
func TestManySignIns(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	h := newHouse(t)
	h.addUser(t, "amal")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answers := make(chan error)
	const many = 200
	for i := range many {
		go func() {
			_, _, err := h.SignIn(ctx, fmt.Sprint("nobody", i), "wrong password", auth.SignInOrigin{Address: fmt.Sprintf("10.%d.0.1", i)})
			answers <- err
		}()
	}
	busy := 0
	for range many {
		switch err := <-answers; {
		case errors.Is(err, auth.ErrBusy):
			busy++
		case !errors.Is(err, auth.ErrWrong):
			t.Errorf("a sign-in among many: %v", err)
		}
	}
	if busy == 0 {
		t.Error("200 at once, and none was refused")
	}
}

// TestSuggestedPasswords checks that a generated password, and sessions that began with it, expire after three days, and
// that so does any that somebody else set; passwords chosen by the user do not.
func TestSuggestedPasswords(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first := auth.SuggestPassword()
	u, err := h.CreateUser(t.Context(), account.Default, "amal", account.Owner, first, "test")
	if err != nil || u.PasswordUntil == nil || !u.PasswordUntil.Equal(h.currentTime().Add(auth.SuggestedFor)) {
		t.Fatalf("until %v, %v", u.PasswordUntil, err)
	}
	h.advanceTime(auth.SuggestedFor - time.Second)
	token, u, err := h.SignIn(t.Context(), "amal", first, here)
	if err != nil {
		t.Fatal(err)
	}
	h.advanceTime(time.Second)
	if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("its session: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", first, here); !errors.Is(err, auth.ErrOutlived) {
		t.Errorf("after three days: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", first+"x", here); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("who does not know it must not learn that it has ended: %v", err)
	}

	second := auth.SuggestPassword()
	if err := h.SetPassword(t.Context(), u, second, "test", nil); err != nil {
		t.Fatal(err)
	}
	token, u, err = h.SignIn(t.Context(), "amal", second, here)
	if err != nil || u.PasswordUntil == nil {
		t.Fatalf("until %v, %v", u.PasswordUntil, err)
	}
	s, u, err := h.LookUpSession(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.ChangePassword(t.Context(), u, s, second, goodPassword); err != nil {
		t.Fatal(err)
	}
	h.advanceTime(auth.SuggestedFor)
	if _, u, err = h.SignIn(t.Context(), "amal", goodPassword, here); err != nil || u.PasswordUntil != nil {
		t.Errorf("a user's own password: %v, %v", u.PasswordUntil, err)
	}
	zaid := h.addUser(t, "zaid")
	if zaid.PasswordUntil != nil {
		t.Errorf("one that the user typed at the set-up ends at %v", zaid.PasswordUntil)
	}
	if err := h.SetPassword(t.Context(), zaid, "another falcon over the hill", "test", nil); err != nil {
		t.Fatal(err)
	}
	if _, u, err = h.SignIn(t.Context(), "zaid", "another falcon over the hill", here); err != nil || u.PasswordUntil == nil {
		t.Errorf("one that somebody else thought up ends at %v, %v", u.PasswordUntil, err)
	}
}
