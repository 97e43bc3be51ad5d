package auth_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

var site = auth.PasskeySite{Host: "munadi.example.com", Origin: "https://munadi.example.com:8443"}

// newOptions returns the options of a new passkey.
func (h *accountsFixture) newOptions(t *testing.T, u account.User, s account.UserSession) []byte {
	t.Helper()
	options, err := h.OfferPasskey(t.Context(), site, u, s)
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// enroll gives a user of the session a passkey, and returns it with the user as stored then.
func (h *accountsFixture) enroll(t *testing.T, u account.User, s account.UserSession) (*softAuthenticator, account.User) {
	t.Helper()
	key := newAuthenticator(t)
	if _, err := h.AddPasskey(t.Context(), site, u, s, "phone", key.create(h.newOptions(t, u, s))); err != nil {
		t.Fatal(err)
	}
	u, err := h.store.FindUser(t.Context(), u.ID)
	if err != nil {
		t.Fatal(err)
	}
	return key, u
}

// signInOptions returns the options of a sign-in in the browser with a token.
func (h *accountsFixture) signInOptions(t *testing.T, browser string) []byte {
	t.Helper()
	options, err := h.OfferPasskeySignIn(t.Context(), site, browser, here)
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// TestPasskey: a passkey is added with recovery codes, signs in alone and after the password, confirms a session, is
// renamed and removed; the other sessions end with a change.
func TestPasskey(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, s, u := h.signedIn(t, "amal")
	other, _, _ := h.session(t, "amal")
	key := newAuthenticator(t)
	codes, err := h.AddPasskey(t.Context(), site, u, s, " phone ", key.create(h.newOptions(t, u, s)))
	if err != nil || len(codes) != 10 {
		t.Fatalf("codes %q, %v", codes, err)
	}
	if _, _, err := h.LookUpSession(t.Context(), other); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("the other session goes on: %v", err)
	}
	u, _ = h.store.FindUser(t.Context(), u.ID)
	if p := u.Passkeys; len(p) != 1 || p[0].Name != "phone" || p[0].LastUsedAt != nil || u.SecondFactor.HasApp() {
		t.Errorf("stored %+v, %+v", p, u.SecondFactor)
	}
	second, _ := h.enroll(t, u, s)
	token, got, err := h.SignInWithPasskey(t.Context(), site, "b", key.get(h.signInOptions(t, "b")), here)
	if err != nil || got.ID != u.ID {
		t.Fatalf("the passkey alone: %+v, %v", got, err)
	}
	s, u, err = h.LookUpSession(t.Context(), token)
	if err != nil || u.Passkeys[0].LastUsedAt == nil || u.Passkeys[0].SignCount != key.count {
		t.Fatalf("used %+v, %v", u.Passkeys, err)
	}
	_, _, err = h.SignIn(t.Context(), "amal", goodPassword, here)
	var needed *auth.CodeNeededError
	if !errors.As(err, &needed) {
		t.Fatalf("the password alone: %v", err)
	}
	if _, _, err := h.SignInWithCode(t.Context(), needed.Step, "000000", here); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("a code without an app: %v", err)
	}
	options, err := h.OfferPasskeyStep(t.Context(), site, needed.Step, here)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.SignInWithPasskeyStep(t.Context(), site, needed.Step, second.get(options), here); err != nil {
		t.Errorf("the passkey after the password: %v", err)
	}
	if _, _, err := h.SignInWithCode(t.Context(), needed.Step, codes[0], here); err != nil {
		t.Errorf("a recovery code: %v", err)
	}
	if options, err = h.OfferPasskeyConfirmation(t.Context(), site, u, s); err != nil {
		t.Fatal(err)
	}
	if err := h.ConfirmWithPasskey(t.Context(), site, u, s, key.get(options)); err != nil {
		t.Error(err)
	}
	if s, _, err = h.LookUpSession(t.Context(), token); err != nil || !h.IsConfirmed(s) {
		t.Errorf("not confirmed: %+v, %v", s, err)
	}
	if err := h.RenamePasskey(t.Context(), u, key.id, ""); store.CodeOf(err) != store.CodeInvalid {
		t.Errorf("an empty name: %v", err)
	}
	mustDo(t, h.RenamePasskey(t.Context(), u, key.id, "هاتفي"))
	mustDo(t, h.RemovePasskey(t.Context(), u, s, second.id, true))
	if err := h.RemovePasskey(t.Context(), u, s, key.id, true); !errors.Is(err, auth.ErrFactorNeeded) {
		t.Errorf("the last factor of an organization that requires one: %v", err)
	}
	mustDo(t, h.RemovePasskey(t.Context(), u, s, key.id, false))
	if u, _ = h.store.FindUser(t.Context(), u.ID); len(u.Passkeys) > 0 || u.SecondFactor != nil {
		t.Errorf("left %+v, %+v", u.Passkeys, u.SecondFactor)
	}
	if _, _, err := h.SignInWithPasskey(t.Context(), site, "b", key.get(h.signInOptions(t, "b")), here); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("a removed passkey: %v", err)
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// TestForgedPasskeys: a new passkey is refused of another origin, relying party, challenge, session or type, without
// verification of the user, with a false attestation, and if another user has its id.
func TestForgedPasskeys(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, s, u := h.signedIn(t, "amal")
	_, badrs, badr := h.signedIn(t, "badr")
	taken, _ := h.enroll(t, badr, badrs)
	for what, edit := range map[string]func(*softAuthenticator){
		"another origin":        func(a *softAuthenticator) { a.origin = "https://munadi.example.com" },
		"plain HTTP":            func(a *softAuthenticator) { a.origin = "http://munadi.example.com:8443" },
		"another relying party": func(a *softAuthenticator) { a.host = "evil.example" },
		"no verification":       func(a *softAuthenticator) { a.flags = flagPresent },
		"nobody there":          func(a *softAuthenticator) { a.flags = flagVerified },
		"the id of another":     func(a *softAuthenticator) { a.id = taken.id },
		"a false attestation": func(a *softAuthenticator) {
			a.forge = func(o map[string]any) {
				o["fmt"], o["attStmt"] = "packed", map[string]any{"alg": -7, "sig": []byte("signed by nobody")}
			}
		},
	} {
		key := newAuthenticator(t)
		edit(key)
		_, err := h.AddPasskey(t.Context(), site, u, s, "x", key.create(h.newOptions(t, u, s)))
		if !errors.Is(err, auth.ErrPasskey) {
			t.Errorf("%s: %v", what, err)
		}
	}
	key := newAuthenticator(t)
	response := key.create(h.newOptions(t, u, s))
	if _, err := h.AddPasskey(t.Context(), site, badr, badrs, "x", response); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("in another session: %v", err)
	}
	if _, err := h.AddPasskey(t.Context(), site, u, s, "x", response); err != nil {
		t.Errorf("in its session: %v", err)
	}
	if _, err := h.AddPasskey(t.Context(), site, u, s, "x", response); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("again: %v", err)
	}
	late := newAuthenticator(t).create(h.newOptions(t, u, s))
	h.advanceTime(auth.PasskeyFor)
	if _, err := h.AddPasskey(t.Context(), site, u, s, "x", late); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("too late: %v", err)
	}
	for _, text := range []string{"", "{}", "null", "[]", "x", strings.Repeat("[", 10_000)} {
		if _, err := h.AddPasskey(t.Context(), site, u, s, "x", []byte(text)); !errors.Is(err, auth.ErrPasskey) {
			t.Errorf("response %.9q: %v", text, err)
		}
	}
	if u, _ = h.store.FindUser(t.Context(), u.ID); len(u.Passkeys) != 1 {
		t.Errorf("stored %d", len(u.Passkeys))
	}
	company, err := h.store.FindUser(t.Context(), h.externalUser(t))
	if _, offered := h.OfferPasskey(t.Context(), site, company, s); err != nil || !errors.Is(offered, auth.ErrNoPassword) {
		t.Errorf("for a user of the identity provider: %v, %v", offered, err)
	}
}

// externalUser returns the id of a user who has no password.
func (h *accountsFixture) externalUser(t *testing.T) string {
	t.Helper()
	_, u, err := h.SignInExternal(t.Context(), person("zaid", account.Viewer), here)
	mustDo(t, err)
	return u.ID
}

// TestForgedPasskeySignIns: a sign-in is refused of another origin, relying party, challenge, browser or purpose,
// without verification of the user, of another user or key, and with a counter that goes back, which is audited.
func TestForgedPasskeySignIns(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, s, u := h.signedIn(t, "amal")
	key, u := h.enroll(t, u, s)
	_, badrs, badr := h.signedIn(t, "badr")
	badrKey, badr := h.enroll(t, badr, badrs)
	for what, edit := range map[string]func(*softAuthenticator){
		"another origin":        func(a *softAuthenticator) { a.origin = "https://munadi.example.com" },
		"another relying party": func(a *softAuthenticator) { a.host = "evil.example" },
		"no verification":       func(a *softAuthenticator) { a.flags = flagPresent },
		"another's handle":      func(a *softAuthenticator) { a.handle = badr.ID },
		"nobody's handle":       func(a *softAuthenticator) { a.handle = "nobody" },
		"no handle":             func(a *softAuthenticator) { a.handle = "" },
		"another key":           func(a *softAuthenticator) { a.key = badrKey.key },
		"another's credential":  func(a *softAuthenticator) { a.id = badrKey.id },
	} {
		forged := *key
		edit(&forged)
		options := h.signInOptions(t, "b")
		token, _, err := h.SignInWithPasskey(t.Context(), site, "b", forged.get(options), here)
		if !errors.Is(err, auth.ErrPasskey) || token != "" {
			t.Errorf("%s: %v", what, err)
		}
		key.count = forged.count
	}
	response := key.get(h.signInOptions(t, "b"))
	if _, _, err := h.SignInWithPasskey(t.Context(), site, "c", response, here); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("in another browser: %v", err)
	}
	if err := h.ConfirmWithPasskey(t.Context(), site, u, s, response); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("for a confirmation: %v", err)
	}
	options, err := h.OfferPasskeyConfirmation(t.Context(), site, u, s)
	mustDo(t, err)
	if err := h.ConfirmWithPasskey(t.Context(), site, u, s, badrKey.get(options)); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("another's passkey for a confirmation: %v", err)
	}
	if _, _, err := h.SignInWithPasskey(t.Context(), site, "b", response, here); err != nil {
		t.Errorf("as it should be: %v", err)
	}
	if _, _, err := h.SignInWithPasskey(t.Context(), site, "b", response, here); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("a replay: %v", err)
	}
	key.count-- // a copy of the key has been used as often
	_, _, err = h.SignInWithPasskey(t.Context(), site, "b", key.get(h.signInOptions(t, "b")), here)
	if !errors.Is(err, auth.ErrPasskeyCopied) || !h.isAudited(t, "user.passkey_copied") {
		t.Errorf("a counter that goes back: %v", err)
	}
	by, _ := h.store.FindUser(t.Context(), badr.ID)
	mustDo(t, h.DisableUser(t.Context(), by, u))
	if _, _, err := h.SignInWithPasskey(t.Context(), site, "b", key.get(h.signInOptions(t, "b")), here); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("a disabled user: %v", err)
	}
}

// TestPasskeysOfTwoOrganizations: a passkey of one organization opens nothing of a user of another, at no door, and no
// options show its credential id to anybody but its user.
func TestPasskeysOfTwoOrganizations(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	mustDo(t, h.store.CreateOrganization(t.Context(), account.Organization{ID: "clinic", Name: "Clinic"}, "test"))
	_, s, amal := h.signedIn(t, "amal")
	if _, err := h.CreateUser(t.Context(), "clinic", "badr", account.Owner, goodPassword, "test"); err != nil {
		t.Fatal(err)
	}
	_, badrs, badr := h.session(t, "badr")
	key, amal := h.enroll(t, amal, s)
	other, badr := h.enroll(t, badr, badrs)

	_, got, err := h.SignInWithPasskey(t.Context(), site, "b", key.get(h.signInOptions(t, "b")), here)
	if err != nil || got.ID != amal.ID || got.OrgID != account.Default {
		t.Errorf("the own passkey: %+v, %v", got, err)
	}
	forged := *key
	forged.handle = badr.ID
	if token, _, err := h.SignInWithPasskey(t.Context(), site, "b", forged.get(h.signInOptions(t, "b")), here); !errors.Is(err, auth.ErrPasskey) || token != "" {
		t.Errorf("in another's name: %v", err)
	}
	step := h.step(t, "badr")
	options, err := h.OfferPasskeyStep(t.Context(), site, step, here)
	mustDo(t, err)
	confirm, err := h.OfferPasskeyConfirmation(t.Context(), site, badr, badrs)
	mustDo(t, err)
	for what, shown := range map[string][]byte{
		"after badr's password": options, "to confirm as badr": confirm, "for badr's new passkey": h.newOptions(t, badr, badrs),
		"before anybody is known": h.signInOptions(t, "b"),
	} {
		if strings.Contains(string(shown), encode(key.id)) {
			t.Errorf("%s amal's credential id is shown: %s", what, shown)
		}
	}
	if token, _, err := h.SignInWithPasskeyStep(t.Context(), site, step, key.get(options), here); !errors.Is(err, auth.ErrPasskey) || token != "" {
		t.Errorf("after badr's password: %v", err)
	}
	if err := h.ConfirmWithPasskey(t.Context(), site, badr, badrs, key.get(confirm)); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("to confirm as badr: %v", err)
	}
	if err := h.RemovePasskey(t.Context(), badr, badrs, key.id, false); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("badr removes amal's: %v", err)
	}
	if err := h.RenamePasskey(t.Context(), badr, key.id, "mine"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("badr renames amal's: %v", err)
	}
	if _, got, err = h.SignInWithPasskey(t.Context(), site, "c", other.get(h.signInOptions(t, "c")), here); err != nil || got.OrgID != "clinic" {
		t.Errorf("badr's own: %+v, %v", got, err)
	}
}

// TestConfirmationWithFactor: the password confirms nothing alone where there is a second factor; with a recovery code it
// does.
func TestConfirmationWithFactor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, s, u := h.signedIn(t, "amal")
	mustDo(t, h.ConfirmAct(t.Context(), u, s, goodPassword))
	codes, err := h.AddPasskey(t.Context(), site, u, s, "phone", newAuthenticator(t).create(h.newOptions(t, u, s)))
	mustDo(t, err)
	if u, err = h.store.FindUser(t.Context(), u.ID); err != nil || len(codes) == 0 {
		t.Fatalf("%q, %v", codes, err)
	}
	if err := h.ConfirmAct(t.Context(), u, s, goodPassword); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("the password alone: %v", err)
	}
	if err := h.ConfirmSession(t.Context(), u, s, goodPassword, ""); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("the page without a code: %v", err)
	}
	mustDo(t, h.ConfirmSession(t.Context(), u, s, goodPassword, codes[0]))
	if s, u, err = h.LookUpSession(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	mustDo(t, h.ConfirmAct(t.Context(), u, s, ""))
}

// TestPasskeyChangesDuringRequest: a request that began before the user's password or passkeys changed adds no passkey,
// uses none, and does not remove the last factor of an organization that requires one.
func TestPasskeyChangesDuringRequest(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, s, before := h.signedIn(t, "amal")
	codes, err := h.AddPasskey(t.Context(), site, before, s, "phone", newAuthenticator(t).create(h.newOptions(t, before, s)))
	mustDo(t, err)
	key, with := h.enroll(t, before, s)
	sent, err := h.OfferPasskeyConfirmation(t.Context(), site, with, s)
	mustDo(t, err)
	for _, p := range with.Passkeys {
		mustDo(t, h.RemovePasskey(t.Context(), with, s, p.ID, false))
	}
	if err := h.ConfirmWithPasskey(t.Context(), site, with, s, key.get(sent)); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("a passkey that was removed meanwhile confirms: %v", err)
	}
	if err := h.RemoveOwnFactor(t.Context(), with, s, goodPassword, codes[0], true); !errors.Is(err, auth.ErrWrongCode) {
		t.Errorf("a factor that was removed meanwhile: %v", err)
	}
	fresh := newAuthenticator(t).create(h.newOptions(t, before, s))
	mustDo(t, h.ChangePassword(t.Context(), before, s, goodPassword, "another good password 7"))
	if _, err := h.AddPasskey(t.Context(), site, before, s, "thief", fresh); !errors.Is(err, auth.ErrPasskey) {
		t.Errorf("a passkey is added after the password was changed: %v", err)
	}
}

// isAudited reports whether the trail has an action.
func (h *accountsFixture) isAudited(t *testing.T, action string) bool {
	t.Helper()
	trail, err := h.store.AuditTrail(t.Context(), account.Default, 100, "")
	mustDo(t, err)
	for _, e := range trail.Items {
		if e.Action == action {
			return true
		}
	}
	return false
}

// TestPasskeyLockOut: challenges that nobody answers are limited for an address, refused answers like wrong codes; where
// only owners have passwords, others have no passkeys either.
func TestPasskeyLockOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, s, u := h.signedIn(t, "amal")
	key, u := h.enroll(t, u, s)
	var err error
	for range 30 {
		if _, err = h.OfferPasskeySignIn(t.Context(), site, "b", here); err != nil {
			break
		}
	}
	var locked *auth.LockedError
	if !errors.As(err, &locked) {
		t.Fatalf("30 challenges: %v", err)
	}
	elsewhere := auth.SignInOrigin{Address: "198.51.100.9"}
	options, err := h.OfferPasskeySignIn(t.Context(), site, "b", elsewhere)
	mustDo(t, err)
	h.RestrictPasswords()
	h.addUser(t, "owner")
	mustDo(t, h.ChangeRole(t.Context(), account.User{ID: "other"}, u, account.Viewer, nil))
	if _, _, err := h.SignInWithPasskey(t.Context(), site, "b", key.get(options), elsewhere); !errors.Is(err, auth.ErrPasswordsOff) {
		t.Errorf("a viewer where only owners sign in here: %v", err)
	}
	for range 10 {
		if err = h.ConfirmWithPasskey(t.Context(), site, u, s, []byte("{}")); errors.As(err, &locked) {
			return
		}
	}
	t.Errorf("ten wrong answers: %v", err)
}

// FuzzPasskeyResponse: no response of an authenticator breaks the service, and none that nobody signed is accepted.
func FuzzPasskeyResponse(f *testing.F) {
	f.Add([]byte(`{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}`))
	f.Add([]byte(`{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}`))
	f.Fuzz(func(t *testing.T, response []byte) {
		h := newHouse(t)
		u := account.User{ID: "u", OrgID: account.Default, Name: "u", Role: account.Owner, Password: "set"}
		mustDo(t, h.store.CreateUser(context.Background(), u, "test"))
		if _, err := h.AddPasskey(t.Context(), site, u, account.UserSession{Hash: []byte("s")}, "x", response); !errors.Is(err, auth.ErrPasskey) {
			t.Error(err)
		}
		if _, _, err := h.SignInWithPasskey(t.Context(), site, "b", response, here); !errors.Is(err, auth.ErrPasskey) {
			t.Error(err)
		}
	})
}
