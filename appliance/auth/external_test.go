package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// person returns an identity with a role in the first organization.
func person(subject string, role account.UserRole) auth.ExternalIdentity {
	return auth.ExternalIdentity{
		Issuer: "https://login.example.com", Subject: subject, Session: "sid-" + subject, Name: subject, Role: role,
		OrgID: account.Default, Create: true,
	}
}

// enterExternal signs a person in and returns the session's token.
func (h *accountsFixture) enterExternal(t *testing.T, who auth.ExternalIdentity) string {
	t.Helper()
	token, u, err := h.SignInExternal(t.Context(), who, here)
	if err != nil || u.Role != who.Role {
		t.Fatalf("%s: %+v, %v", who.Subject, u, err)
	}
	return token
}

// TestExternalSignIn: accounts are made, found again by issuer and subject, and follow the role of the provider; names,
// organizations and disabled users are respected.
func TestExternalSignIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "owner")
	h.enterExternal(t, person("amal", account.Operator))
	renamed := person("amal", account.Viewer)
	renamed.Name = "amal.new"
	s, u, err := h.LookUpSession(t.Context(), h.enterExternal(t, renamed))
	if err != nil || u.Name != "amal" || u.Role != account.Viewer || !s.External || s.ExternalSession != "sid-amal" {
		t.Errorf("after another role and name: %+v, %+v, %v", u, s, err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", "", here); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("an account without a password signs in: %v", err)
	}
	if err := h.store.CreateOrganization(t.Context(), account.Organization{ID: "other", Name: "Other"}, "test"); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		edit func(*auth.ExternalIdentity)
		want error
	}{
		"the name of another person":  {func(w *auth.ExternalIdentity) { w.Subject = "thief" }, auth.ErrNameTaken},
		"another issuer":              {func(w *auth.ExternalIdentity) { w.Issuer = "https://evil.example" }, auth.ErrNameTaken},
		"another organization":        {func(w *auth.ExternalIdentity) { w.OrgID = "other" }, auth.ErrOtherOrganization},
		"a name of another's tenant":  {func(w *auth.ExternalIdentity) { w.Subject, w.Name, w.OrgID = "new", "owner", "other" }, auth.ErrNameTaken},
		"no valid name":               {func(w *auth.ExternalIdentity) { w.Subject, w.Name = "new", "" }, auth.ErrNoAccount},
		"accounts are not made":       {func(w *auth.ExternalIdentity) { w.Subject, w.Name, w.Create = "new", "new", false }, auth.ErrNoAccount},
		"an organization that is not": {func(w *auth.ExternalIdentity) { w.Subject, w.Name, w.OrgID = "new", "new", "nowhere" }, auth.ErrNoAccount},
	} {
		who := person("amal", account.Viewer)
		c.edit(&who)
		if token, _, err := h.SignInExternal(t.Context(), who, here); !errors.Is(err, c.want) || token != "" {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	by, _ := h.store.UserByName(t.Context(), "owner")
	if err := h.DisableUser(t.Context(), by, u); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.SignInExternal(t.Context(), person("amal", account.Viewer), here); !errors.Is(err, auth.ErrNoAccount) {
		t.Errorf("a disabled user: %v", err)
	}
	if _, _, err := h.SignInExternal(t.Context(), person("owner", account.Operator), here); !errors.Is(err, auth.ErrNameTaken) {
		t.Errorf("a person of an owner's name with a lower role: %v", err)
	}
	h.enterExternal(t, person("owner", account.Owner))
	if _, _, err := h.SignInExternal(t.Context(), person("owner", account.Viewer), here); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("the last owner becomes a viewer: %v", err)
	}
}

// TestExternalAtOnce: two first sign-ins of one person make one account.
func TestExternalAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, _, err := h.SignInExternal(t.Context(), person("amal", account.Owner), here); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if users, err := h.store.ListUsers(t.Context(), ""); err != nil || len(users) != 1 {
		t.Errorf("%d accounts, %v", len(users), err)
	}
}

// TestExternalLogout: a logout ends the sessions of the person or session that it names, only those that the provider
// began, and none if it names nobody.
func TestExternalLogout(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "badr")
	local, _, _ := h.session(t, "badr")
	badr := h.enterExternal(t, person("badr", account.Owner))
	amal, other := person("amal", account.Viewer), person("amal", account.Viewer)
	other.Session = "another"
	first, second := h.enterExternal(t, amal), h.enterExternal(t, other)
	check := func(what string, logout auth.ExternalLogout, ended ...string) {
		t.Helper()
		if logout.Issuer == "" {
			logout.Issuer = amal.Issuer
		}
		if err := h.EndExternal(t.Context(), logout); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, token := range ended {
			if _, _, err := h.LookUpSession(t.Context(), token); store.CodeOf(err) != store.CodeNotFound {
				t.Errorf("%s: a session goes on, %v", what, err)
			}
		}
	}
	check("nobody", auth.ExternalLogout{})
	check("another issuer", auth.ExternalLogout{Issuer: "https://evil.example", Subject: "amal"})
	check("another's session", auth.ExternalLogout{Subject: "badr", Session: "sid-amal"})
	for _, token := range []string{local, badr, first, second} {
		if _, _, err := h.LookUpSession(t.Context(), token); err != nil {
			t.Fatalf("a session has ended: %v", err)
		}
	}
	check("a session", auth.ExternalLogout{Session: "sid-amal"}, first)
	if _, _, err := h.LookUpSession(t.Context(), second); err != nil {
		t.Errorf("the other session: %v", err)
	}
	check("a person", auth.ExternalLogout{Subject: "amal"}, second)
	check("a person with a local session", auth.ExternalLogout{Subject: "badr"}, badr)
	if _, _, err := h.LookUpSession(t.Context(), local); err != nil {
		t.Errorf("the local session: %v", err)
	}
}

// TestLogoutTokenIsAcceptedOnce: a logout token that is sent again ends no session that was begun since, of another
// issuer the same id is another one, and one whose sessions could not be ended may be sent again.
func TestLogoutTokenIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	amal := person("amal", account.Owner)
	first := h.enterExternal(t, amal)
	logout := auth.ExternalLogout{Issuer: amal.Issuer, Subject: "amal", TokenID: "1", Until: h.currentTime().Add(10 * time.Minute)}
	cancelled, cancel := context.WithCancel(t.Context())
	broken := auth.NewAccounts(cancelAfterOneTime{h.store, cancel}, auth.InstallationSecret{1}, h.currentTime, slog.New(slog.DiscardHandler))
	if err := broken.EndByLogoutToken(cancelled, logout); err == nil {
		t.Fatal("sessions end without a store")
	}
	if err := h.EndByLogoutToken(t.Context(), logout); err != nil {
		t.Fatalf("the token that failed before: %v", err)
	}
	if _, _, err := h.LookUpSession(t.Context(), first); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("the session goes on: %v", err)
	}
	second := h.enterExternal(t, amal)
	if err := h.EndByLogoutToken(t.Context(), logout); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("the token again: %v", err)
	}
	if _, _, err := h.LookUpSession(t.Context(), second); err != nil {
		t.Errorf("a replayed token ended a session: %v", err)
	}
	other := logout
	other.Issuer = "https://other.example.com"
	if err := h.EndByLogoutToken(t.Context(), other); err != nil {
		t.Errorf("the same id of another issuer: %v", err)
	}
}

// cancelAfterOneTime is a store that cannot be read after a one-time record was added.
type cancelAfterOneTime struct {
	auth.UserStore
	cancel context.CancelFunc
}

func (s cancelAfterOneTime) AddOneTime(ctx context.Context, r account.OneTimeRecord, now time.Time) error {
	err := s.UserStore.AddOneTime(ctx, r, now)
	s.cancel()
	return err
}

// TestConfirmExternal: a user authenticates again as the same person, with the role that the provider names then.
func TestConfirmExternal(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.addUser(t, "owner")
	amal := person("amal", account.Operator)
	token := h.enterExternal(t, amal)
	s, u, err := h.LookUpSession(t.Context(), token)
	if err != nil || h.IsConfirmed(s) {
		t.Fatalf("the sign-in confirms the session, or %v", err)
	}
	moved := amal
	moved.OrgID = "other"
	for want, who := range map[error]auth.ExternalIdentity{auth.ErrOtherPerson: person("badr", account.Operator), auth.ErrOtherOrganization: moved} {
		if err := h.ConfirmExternal(t.Context(), u, s, who); !errors.Is(err, want) {
			t.Errorf("%s of %s: %v", who.Subject, who.OrgID, err)
		}
	}
	amal.Role, amal.Session = account.Viewer, "sid-2"
	if err := h.ConfirmExternal(t.Context(), u, s, amal); err != nil {
		t.Fatal(err)
	}
	if s, u, err = h.LookUpSession(t.Context(), token); err != nil || !h.IsConfirmed(s) || u.Role != account.Viewer || s.ExternalSession != "sid-2" {
		t.Errorf("%+v, %+v, %v", s, u, err)
	}
	h.advanceTime(auth.ConfirmedFor)
	if h.IsConfirmed(s) {
		t.Error("a confirmation is good for longer")
	}
}
