package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"munadi/appliance/auth"
	"munadi/appliance/seal"
	"munadi/store"
	"munadi/store/account"
)

// codeAt returns what the user's app shows, some time from now.
func (h *accountsFixture) codeAt(t *testing.T, secret string, later time.Duration) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, h.currentTime().Add(later))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// session signs a user in with the password alone.
func (h *accountsFixture) session(t *testing.T, name string) (string, account.UserSession, account.User) {
	t.Helper()
	token, _, err := h.SignIn(t.Context(), name, goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	s, u, err := h.LookUpSession(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return token, s, u
}

// signedIn adds a user and signs the user in.
func (h *accountsFixture) signedIn(t *testing.T, name string) (string, account.UserSession, account.User) {
	t.Helper()
	h.addUser(t, name)
	return h.session(t, name)
}

// userWithFactor adds a user with a second factor, and returns its secret and recovery codes.
func (h *accountsFixture) userWithFactor(t *testing.T, name string) (string, []string) {
	t.Helper()
	h.addUser(t, name)
	return h.setUpFactor(t, name)
}

// setUpFactor gives a user a second factor, and returns its secret and recovery codes.
func (h *accountsFixture) setUpFactor(t *testing.T, name string) (string, []string) {
	t.Helper()
	_, s, u := h.session(t, name)
	offer, err := h.OfferSecondFactor(u)
	if err != nil {
		t.Fatal(err)
	}
	codes, err := h.ConfirmSecondFactor(t.Context(), u, s, offer.Sealed, goodPassword, h.codeAt(t, offer.Secret, 0))
	if err != nil {
		t.Fatal(err)
	}
	h.advanceTime(time.Minute)
	return offer.Secret, codes
}

// step signs in with the password and returns the token for the code.
func (h *accountsFixture) step(t *testing.T, name string) string {
	t.Helper()
	var needed *auth.CodeNeededError
	if token, u, err := h.SignIn(t.Context(), name, goodPassword, here); !errors.As(err, &needed) || token != "" || u.ID != "" {
		t.Fatalf("a password opens %q of %+v, %v", token, u, err)
	}
	return needed.Step
}

// enter ends a sign-in.
func (h *accountsFixture) enter(t *testing.T, step, code string) error {
	t.Helper()
	token, u, err := h.SignInWithCode(t.Context(), step, code, here)
	if (err == nil) != (token != "") || (err == nil) != (u.ID != "") {
		t.Errorf("token %q, user %q, %v", token, u.ID, err)
	}
	return err
}

// TestSecondFactor: a user with a second factor signs in with password and code; each code works once; codes of the
// steps before and after are accepted, older ones are not.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other, _, _ := h.signedIn(t, "amal")
	secret, codes := h.setUpFactor(t, "amal")
	if _, _, err := h.LookUpSession(t.Context(), other); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another session after the set-up: %v", err)
	}
	if len(codes) != 10 || len(codes[0]) != 29 || codes[0] == codes[1] {
		t.Errorf("recovery codes %v", codes)
	}
	step := h.step(t, "amal")
	for _, wrong := range []string{"", "000000", "12345", h.codeAt(t, secret, -time.Minute), h.codeAt(t, secret, time.Minute)} {
		if err := h.enter(t, step, wrong); !errors.Is(err, auth.ErrWrongCode) {
			t.Errorf("code %q: %v", wrong, err)
		}
		h.advanceTime(0)
	}
	h.advanceTime(time.Hour + time.Second) // the failures are forgotten, and the step has expired
	if err := h.enter(t, step, h.codeAt(t, secret, 0)); !errors.Is(err, auth.ErrStepExpired) {
		t.Errorf("an old step: %v", err)
	}
	step = h.step(t, "amal")
	code := h.codeAt(t, secret, -30*time.Second)
	if err := h.enter(t, step, " "+code[:3]+" "+code[3:]+" "); err != nil {
		t.Errorf("the code of the step before: %v", err)
	}
	if err := h.enter(t, h.step(t, "amal"), code); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("the same code again: %v", err)
	}
	if err := h.enter(t, step, h.codeAt(t, secret, 30*time.Second)); err != nil {
		t.Errorf("the code of the step after: %v", err)
	}
	if err := h.enter(t, h.step(t, "amal"), h.codeAt(t, secret, 0)); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("a code older than the last one: %v", err)
	}
	u, err := h.store.UserByName(t.Context(), "amal")
	if err != nil || strings.Contains(string(u.SecondFactor.Secret), secret) || strings.Contains(string(u.SecondFactor.Recovery[0]), codes[0]) {
		t.Errorf("the store has %+v, %v", u.SecondFactor, err)
	}
}

// TestCodeOnceAtOnce: of concurrent sign-ins with one code one succeeds.
func TestCodeOnceAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, codes := h.userWithFactor(t, "amal")
	for _, code := range []string{h.codeAt(t, secret, 0), codes[3]} {
		step, opened := h.step(t, "amal"), make(chan bool, 4)
		var all sync.WaitGroup
		for range cap(opened) {
			all.Go(func() {
				if _, _, err := h.SignInWithCode(t.Context(), step, code, here); err == nil {
					opened <- true
				}
			})
		}
		all.Wait()
		if len(opened) != 1 {
			t.Errorf("code %q opened %d sessions", code, len(opened))
		}
	}
}

// TestRecoveryCodes: a recovery code works once, however it is typed; new ones replace the old.
func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, codes := h.userWithFactor(t, "amal")
	_, others := h.userWithFactor(t, "badr")
	if err := h.enter(t, h.step(t, "amal"), others[0]); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("another user's recovery code: %v", err)
	}
	if err := h.enter(t, h.step(t, "amal"), strings.ToUpper(strings.ReplaceAll(codes[0], "-", " "))); err != nil {
		t.Errorf("a recovery code: %v", err)
	}
	if err := h.enter(t, h.step(t, "amal"), codes[0]); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("the same recovery code again: %v", err)
	}
	token, _, err := h.SignInWithCode(t.Context(), h.step(t, "amal"), h.codeAt(t, secret, 0), here)
	if err != nil {
		t.Fatal(err)
	}
	s, u, err := h.LookUpSession(t.Context(), token)
	if err != nil || len(u.SecondFactor.Recovery) != 9 {
		t.Fatalf("%d recovery codes are left, %v", len(u.SecondFactor.Recovery), err)
	}
	if _, err := h.RenewRecoveryCodes(t.Context(), u, s, "wrong password", codes[1]); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("new codes for a wrong password: %v", err)
	}
	if _, err := h.RenewRecoveryCodes(t.Context(), u, s, goodPassword, h.codeAt(t, secret, 0)); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("new codes for a used code: %v", err)
	}
	fresh, err := h.RenewRecoveryCodes(t.Context(), u, s, goodPassword, codes[1])
	if err != nil || len(fresh) != 10 {
		t.Fatalf("new codes: %v, %v", fresh, err)
	}
	if err := h.enter(t, h.step(t, "amal"), codes[2]); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("a replaced code: %v", err)
	}
	if err := h.enter(t, h.step(t, "amal"), fresh[0]); err != nil {
		t.Errorf("a new code: %v", err)
	}
}

// TestCodeLockOut: wrong codes lock the account's codes out, and neither the right password between them nor an expired
// step forgives them; the right code does.
func TestCodeLockOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, _ := h.userWithFactor(t, "amal")
	for range 5 {
		if err := h.enter(t, h.step(t, "amal"), "000000"); !errors.Is(err, auth.ErrWrongCode) {
			t.Fatal(err)
		}
	}
	var locked *auth.LockedError
	if err := h.enter(t, h.step(t, "amal"), h.codeAt(t, secret, 0)); !errors.As(err, &locked) {
		t.Fatalf("after five wrong codes: %v", err)
	}
	h.advanceTime(31 * time.Second)
	if err := h.enter(t, h.step(t, "amal"), h.codeAt(t, secret, 0)); err != nil {
		t.Errorf("after the lockout: %v", err)
	}
	h.advanceTime(time.Minute)
	if err := h.enter(t, h.step(t, "amal"), "000000"); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("after the right code: %v", err)
	}
	trail, err := h.store.AuditTrail(t.Context(), account.Default, 50, "")
	var said []string
	for _, e := range trail.Items {
		said = append(said, e.Action)
	}
	if all := strings.Join(said, " "); err != nil || strings.Count(all, "user.sign_in_refused") != 6 || !strings.Contains(all, "user.code") {
		t.Errorf("the trail says %v, %v", said, err)
	}
}

// TestStepToken: the token between password and code is no session, and is worth nothing for another user, after a
// change of the password or the second factor, or changed.
func TestStepToken(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	h.addUser(t, "badr")
	secret, codes := h.setUpFactor(t, "amal")
	step := h.step(t, "amal")
	if _, _, err := h.LookUpSession(t.Context(), step); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a step as session: %v", err)
	}
	id := strings.Split(step, ".")
	for what, changed := range map[string]string{
		"empty": "", "dots": "...", "cut": step[:len(step)-1], "later": "zzzzzz" + step[strings.IndexByte(step, '.'):],
		"another user": strings.Replace(step, id[1], "YmFkcg", 1), "a path": strings.Replace(step, id[1], "YS9i", 1), "no base64": strings.Replace(step, id[1], "*", 1),
	} {
		if err := h.enter(t, changed, h.codeAt(t, secret, 0)); !errors.Is(err, auth.ErrStepExpired) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := h.RemoveSecondFactor(t.Context(), u, "test"); err != nil {
		t.Fatal(err)
	}
	if err := h.enter(t, step, codes[0]); !errors.Is(err, auth.ErrStepExpired) {
		t.Errorf("after the removal: %v", err)
	}
	if err := h.RemoveSecondFactor(t.Context(), u, "test"); !errors.Is(err, auth.ErrNoSecondFactor) {
		t.Errorf("removed twice: %v", err)
	}
	secret, _ = h.setUpFactor(t, "amal")
	if err := h.enter(t, step, h.codeAt(t, secret, 0)); !errors.Is(err, auth.ErrStepExpired) {
		t.Errorf("a step of the factor before: %v", err)
	}
	step = h.step(t, "amal")
	if err := h.SetPassword(t.Context(), u, "another falcon over the hill", "test", nil); err != nil {
		t.Fatal(err)
	}
	if err := h.enter(t, step, h.codeAt(t, secret, 0)); !errors.Is(err, auth.ErrStepExpired) {
		t.Errorf("after a new password: %v", err)
	}
}

// TestOfferOfAnother: an offer is worth nothing for another user, after half an hour, or changed; without the right
// password and code nothing is set up, and a second set-up is refused.
func TestOfferOfAnother(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	h.addUser(t, "badr")
	_, s, u := h.session(t, "amal")
	_, _, badr := h.session(t, "badr")
	offer, err := h.OfferSecondFactor(badr)
	if err != nil || !strings.HasPrefix(offer.URI, "otpauth://totp/Munadi:badr?") {
		t.Fatal(offer, err)
	}
	confirm := func(sealed, password, code string) error {
		_, err := h.ConfirmSecondFactor(t.Context(), u, s, sealed, password, code)
		return err
	}
	for _, sealed := range []string{"", "*", "YWJj", offer.Sealed} {
		if err := confirm(sealed, goodPassword, h.codeAt(t, offer.Secret, 0)); !errors.Is(err, auth.ErrOfferExpired) {
			t.Errorf("offer %q: %v", sealed, err)
		}
	}
	if offer, err = h.OfferSecondFactor(u); err != nil {
		t.Fatal(err)
	}
	if err := confirm(offer.Sealed, "wrong", h.codeAt(t, offer.Secret, 0)); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("a wrong password: %v", err)
	}
	if err := confirm(offer.Sealed, goodPassword, "000000"); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("a wrong code: %v", err)
	}
	if kept, err := h.store.FindUser(t.Context(), u.ID); err != nil || kept.SecondFactor != nil {
		t.Errorf("set up %+v, %v", kept.SecondFactor, err)
	}
	late := h.codeAt(t, offer.Secret, 30*time.Minute)
	if err := confirm(offer.Sealed, goodPassword, h.codeAt(t, offer.Secret, 0)); err != nil {
		t.Errorf("the right code: %v", err)
	}
	if err := confirm(offer.Sealed, goodPassword, h.codeAt(t, offer.Secret, 0)); !errors.Is(err, auth.ErrHasSecondFactor) {
		t.Errorf("set up twice: %v", err)
	}
	h.advanceTime(30 * time.Minute)
	if err := confirm(offer.Sealed, goodPassword, late); !errors.Is(err, auth.ErrOfferExpired) {
		t.Errorf("after half an hour: %v", err)
	}
}

// TestRemoveSecondFactor: users remove their own with password and code; administrators that of another, whose sessions
// end; nobody their own that way.
func TestRemoveSecondFactor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "amal")
	by := h.addUser(t, "badr")
	secret, codes := h.setUpFactor(t, "amal")
	token, _, err := h.SignInWithCode(t.Context(), h.step(t, "amal"), codes[0], here)
	if err != nil {
		t.Fatal(err)
	}
	s, u, _ := h.LookUpSession(t.Context(), token)
	if err := h.RemoveOwnFactor(t.Context(), u, s, goodPassword, "000000", false); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("with a wrong code: %v", err)
	}
	if err := h.RemoveOwnFactor(t.Context(), u, s, goodPassword, h.codeAt(t, secret, 0), false); err != nil {
		t.Errorf("with password and code: %v", err)
	}
	if _, _, err := h.LookUpSession(t.Context(), token); err != nil {
		t.Errorf("the session that removed it: %v", err)
	}
	h.setUpFactor(t, "amal")
	u, _ = h.store.UserByName(t.Context(), "amal")
	if err := h.RemoveFactorOf(t.Context(), u, u); !errors.Is(err, auth.ErrSelf) {
		t.Errorf("of oneself: %v", err)
	}
	if err := h.RemoveFactorOf(t.Context(), by, u); err != nil {
		t.Errorf("of another: %v", err)
	}
	if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a session after an administrator's removal: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", goodPassword, here); err != nil {
		t.Errorf("the password alone afterwards: %v", err)
	}
}

// TestFactorWithoutSecret: no code fits a second factor whose sealed secret is lost or damaged.
func TestFactorWithoutSecret(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	secret, _ := h.setUpFactor(t, "amal")
	for name, c := range map[string]struct {
		sealed []byte
		code   string
		want   error
	}{
		"none":    {nil, h.codeAt(t, "", 0), auth.ErrWrongCode},
		"damaged": {[]byte("abc"), h.codeAt(t, secret, 0), seal.ErrUnreadable},
	} {
		_, err := h.store.ChangeUser(t.Context(), u.ID, "user.second_factor", "test", h.currentTime(),
			func(kept *account.User) error {
				kept.SecondFactor.Secret = c.sealed
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.enter(t, h.step(t, "amal"), c.code); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// changingStore is a store in which something happens right before a session is created.
type changingStore struct {
	auth.UserStore
	before func()
}

func (s changingStore) CreateSession(ctx context.Context, session account.UserSession) error {
	s.before()
	return s.UserStore.CreateSession(ctx, session)
}

// TestFactorChangesDuringSignIn: a sign-in by the password alone opens no session when a second factor is set up
// meanwhile, nor one by a code when the factor is removed meanwhile.
func TestFactorChangesDuringSignIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	racing := func(before func()) *auth.AccountService {
		s := changingStore{h.store, before}
		return auth.NewAccounts(s, auth.InstallationSecret{1}, h.currentTime, slog.New(slog.DiscardHandler))
	}
	var secret string
	a := racing(func() { secret, _ = h.setUpFactor(t, "amal") })
	if token, _, err := a.SignIn(t.Context(), "amal", goodPassword, here); !errors.Is(err, auth.ErrWrong) || token != "" {
		t.Errorf("the password alone: %q, %v", token, err)
	}
	a = racing(func() {
		if err := h.RemoveSecondFactor(t.Context(), u, "test"); err != nil {
			t.Error(err)
		}
	})
	token, _, err := a.SignInWithCode(t.Context(), h.step(t, "amal"), h.codeAt(t, secret, 0), here)
	if !errors.Is(err, auth.ErrWrong) || token != "" {
		t.Errorf("a code of a removed factor: %q, %v", token, err)
	}
}

// FuzzStepToken: no foreign token is a step.
func FuzzStepToken(f *testing.F) {
	f.Add("")
	f.Add("zzzzzz.YWJj.abc.def")
	f.Fuzz(func(t *testing.T, step string) {
		h := newHouse(t)
		if u, err := h.CheckStep(t.Context(), step); !errors.Is(err, auth.ErrStepExpired) || u.ID != "" {
			t.Errorf("%q is a step of %q, %v", step, u.ID, err)
		}
	})
}
