package auth_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/auth"
	"munadi/store/account"
)

// fakeDirectory has people by name, whose password is their name and "!".
type fakeDirectory struct {
	mu     sync.Mutex
	people map[string]auth.ExternalIdentity
	away   bool
	binds  int // passwords that it was asked for
}

func newDirectory(names ...string) *fakeDirectory {
	d := &fakeDirectory{people: map[string]auth.ExternalIdentity{}}
	for _, name := range names {
		who := person(name, account.Viewer)
		who.Issuer, who.Session = d.Issuer(), ""
		d.people[name] = who
	}
	return d
}

func (*fakeDirectory) Issuer() string { return "ldap:dc=example" }

func (d *fakeDirectory) Authenticate(_ context.Context, name, password, _ string, attempt func(string) error) (auth.ExternalIdentity, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	who, there := d.people[strings.TrimSuffix(name, "@example.com")]
	switch {
	case d.away:
		return who, auth.ErrDirectoryAway
	case !there:
		return who, auth.ErrWrong
	}
	if err := attempt(who.Subject); err != nil {
		return who, err
	}
	d.binds++
	switch {
	case password != who.Subject+"!":
		return auth.ExternalIdentity{}, auth.ErrWrong
	case who.Role == "":
		return who, auth.ErrNoAccount
	}
	return who, nil
}

func (d *fakeDirectory) FindPerson(_ context.Context, _, subject string) (auth.ExternalIdentity, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	who, there := d.people[subject]
	switch {
	case d.away:
		return who, auth.ErrDirectoryAway
	case !there || who.Role == "":
		return who, auth.ErrNoAccount
	}
	return who, nil
}

// edit changes a person.
func (d *fakeDirectory) edit(name string, change func(*auth.ExternalIdentity)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	who := d.people[name]
	change(&who)
	d.people[name] = who
}

// TestDirectorySignIn: people of the directory get an account without a password of its own; users of the appliance are
// not theirs, whatever the directory says.
func TestDirectorySignIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, d := newHouse(t), newDirectory("amal", "owner", "away", "roleless", "elsewhere")
		h.addUser(t, "owner")
		h.UseDirectory(d)
		d.edit("owner", func(w *auth.ExternalIdentity) { w.Role = account.Owner })
		d.edit("roleless", func(w *auth.ExternalIdentity) { w.Role = "" })
		d.edit("elsewhere", func(w *auth.ExternalIdentity) { w.OrgID = "nowhere" })
		token, amal, err := h.SignIn(t.Context(), "amal", "amal!", here)
		if err != nil || amal.Role != account.Viewer || amal.Password != "" || !h.IsOfDirectory(amal) || !h.HasPassword(amal) {
			t.Fatalf("%+v, %v", amal, err)
		}
		for what, c := range map[string]struct {
			name, password string
			want           error
		}{
			"a wrong password":             {"amal", "wrong", auth.ErrWrong},
			"nobody":                       {"nobody", "x", auth.ErrWrong},
			"the directory's for a user's": {"owner", "owner!", auth.ErrWrong},
			"no role":                      {"roleless", "roleless!", auth.ErrNoAccount},
			"no such organization":         {"elsewhere", "elsewhere!", auth.ErrNoAccount},
		} {
			if begun, _, err := h.SignIn(t.Context(), c.name, c.password, here); !errors.Is(err, c.want) || begun != "" {
				t.Errorf("%s: %v", what, err)
			}
		}
		if _, u, err := h.SignIn(t.Context(), "owner", goodPassword, here); err != nil || u.External != nil {
			t.Errorf("a user of the appliance: %+v, %v", u, err)
		}
		if _, u, err := h.SignIn(t.Context(), "amal@example.com", "amal!", here); err != nil || u.ID != amal.ID {
			t.Errorf("by another name: %+v, %v", u, err)
		}
		if err := h.SetPassword(t.Context(), amal, goodPassword, "test", nil); !errors.Is(err, auth.ErrDirectoryPassword) {
			t.Errorf("a password of its own: %v", err)
		}
		s, amal, err := h.LookUpSession(t.Context(), token)
		if err != nil || h.ConfirmPassword(t.Context(), amal, s, "amal!") != nil {
			t.Errorf("the password does not confirm: %v", err)
		}
		if err := h.ConfirmPassword(t.Context(), amal, s, goodPassword); !errors.Is(err, auth.ErrWrong) {
			t.Errorf("another password confirms: %v", err)
		}
		other := amal
		other.External = &account.ExternalID{Issuer: d.Issuer(), Subject: "somebody before"}
		if err := h.ConfirmPassword(t.Context(), other, s, "amal!"); !errors.Is(err, auth.ErrWrong) {
			t.Errorf("who has the name today confirms for who had it: %v", err)
		}
		by, _ := h.store.UserByName(t.Context(), "owner")
		if err := h.DisableUser(t.Context(), by, amal); err != nil {
			t.Fatal(err)
		}
		before := d.binds
		if _, _, err := h.SignIn(t.Context(), "amal", "amal!", here); !errors.Is(err, auth.ErrWrong) || d.binds != before {
			t.Errorf("a disabled user: %v, the directory was asked: %v", err, d.binds != before)
		}
	})
}

// TestDirectoryLeavers: who has left the directory, or every group, is signed out, and passkeys do not let them in; a
// directory that is away signs nobody out.
func TestDirectoryLeavers(t *testing.T) {
	t.Parallel()
	h, d := newHouse(t), newDirectory("amal", "badr", "dalal")
	h.UseDirectory(d)
	var tokens []string
	for _, name := range []string{"amal", "badr", "dalal"} {
		token, _, err := h.SignIn(t.Context(), name, name+"!", here)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	d.away = true
	if err := h.CheckSignedIn(t.Context()); !errors.Is(err, auth.ErrDirectoryAway) {
		t.Errorf("the directory is away: %v", err)
	}
	d.away = false
	delete(d.people, "amal")
	d.edit("badr", func(w *auth.ExternalIdentity) { w.OrgID = "other" })
	d.edit("dalal", func(w *auth.ExternalIdentity) { w.Role = account.Operator })
	for i, isIn := range []bool{true, true, true} {
		if _, _, err := h.LookUpSession(t.Context(), tokens[i]); (err == nil) != isIn {
			t.Errorf("session %d before: %v", i, err)
		}
	}
	if err := h.CheckSignedIn(t.Context()); err != nil {
		t.Error(err)
	}
	for i, isIn := range []bool{false, false, true} {
		if _, u, err := h.LookUpSession(t.Context(), tokens[i]); (err == nil) != isIn || isIn && u.Role != account.Operator {
			t.Errorf("session %d after: %+v, %v", i, u, err)
		}
	}
}

// TestDirectoryLockout: from here nobody fails more than three times at a person of the directory within a quarter of an
// hour, under whatever name, so that the company's own lockout is not reached; a browser that signed in goes on.
func TestDirectoryLockout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, d := newHouse(t), newDirectory("amal")
		h.UseDirectory(d)
		_, amal, err := h.SignIn(t.Context(), "amal", "amal!", here)
		if err != nil {
			t.Fatal(err)
		}
		d.binds = 0
		var locked *auth.LockedError
		for i, name := range []string{"amal", "amal@example.com", "AMAL", "amal", "amal@example.com"} {
			d.people["AMAL"] = d.people["amal"]
			from := auth.SignInOrigin{Address: "198.51.100." + string(rune('1'+i))}
			_, _, err = h.SignIn(t.Context(), name, "wrong", from)
		}
		if !errors.Is(err, auth.ErrWrong) || d.binds != 3 { // "amal@example.com" was tried twice
			t.Errorf("%v after %d passwords at the directory", err, d.binds)
		}
		if _, _, err := h.SignIn(t.Context(), "amal", "amal!", here); !errors.As(err, &locked) {
			t.Errorf("another browser during the lockout: %v", err)
		}
		if _, _, err := h.SignIn(t.Context(), "amal@example.com", "amal!", here); !errors.Is(err, auth.ErrWrong) || d.binds != 3 {
			t.Errorf("under another name: %v after %d passwords", err, d.binds)
		}
		known := here
		known.Device = h.DeviceToken(amal)
		if _, _, err := h.SignIn(t.Context(), "amal", "amal!", known); err != nil {
			t.Errorf("the browser that signed in before: %v", err)
		}
		h.advanceTime(16 * time.Minute)
		if _, _, err := h.SignIn(t.Context(), "amal", "amal!", here); err != nil {
			t.Errorf("after the lockout: %v", err)
		}
		d.away, d.binds = true, 0
		for range 10 {
			if _, _, err := h.SignIn(t.Context(), "amal", "wrong", known); !errors.Is(err, auth.ErrDirectoryAway) {
				t.Fatalf("the directory is away: %v", err)
			}
		}
	})
}

// TestDirectoryAwayTellsNoNames: while the directory is away, and with it there again, a user of the appliance, a person
// of the directory, a disabled one and nobody are refused alike, after the same time and as often.
func TestDirectoryAwayTellsNoNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, d := newHouse(t), newDirectory("amal", "badr")
		h.addUser(t, "owner")
		h.UseDirectory(d)
		_, badr, err := h.SignIn(t.Context(), "badr", "badr!", here)
		if err != nil {
			t.Fatal(err)
		}
		by, _ := h.store.UserByName(t.Context(), "owner")
		if err := h.DisableUser(t.Context(), by, badr); err != nil {
			t.Fatal(err)
		}
		for _, away := range []bool{true, false} {
			d.away = away
			want := map[bool]error{true: auth.ErrDirectoryAway, false: auth.ErrWrong}[away]
			for i, name := range []string{"owner", "badr", "nobody", "amal"} {
				from, begun := auth.SignInOrigin{Address: "198.51.100." + strconv.Itoa(i)}, time.Now()
				const tries = 3 // see TestDirectoryLockout
				for range tries {
					if _, _, err := h.SignIn(t.Context(), name, "wrong", from); !errors.Is(err, want) {
						t.Errorf("away %v, %s: %v", away, name, err)
					}
				}
				if took := time.Since(begun); took != time.Duration(tries)*time.Second {
					t.Errorf("away %v, %s: refused %d times after %s", away, name, tries, took)
				}
				var locked *auth.LockedError
				if _, _, err := h.SignIn(t.Context(), name, "wrong", from); !errors.As(err, &locked) {
					t.Fatalf("away %v, %s, the next time: %v", away, name, err)
				}
				if left := locked.Until.Sub(h.currentTime()); left != 15*time.Minute {
					t.Errorf("away %v, %s: locked for %s", away, name, left)
				}
			}
			h.advanceTime(2 * time.Hour)
		}
		d.away = true
		if _, _, err := h.SignIn(t.Context(), "owner", goodPassword, here); err != nil {
			t.Errorf("the right password of a user of the appliance: %v", err)
		}
	})
}

// TestDirectoryRefusalTime: with a directory a refusal takes a second, of a user, a person of the directory and nobody.
func TestDirectoryRefusalTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.addUser(t, "owner")
		h.UseDirectory(newDirectory("amal"))
		for _, name := range []string{"owner", "amal", "nobody"} {
			begun := time.Now()
			if _, _, err := h.SignIn(t.Context(), name, "wrong", here); !errors.Is(err, auth.ErrWrong) {
				t.Error(err)
			}
			if took := time.Since(begun); took != time.Second {
				t.Errorf("%s: refused after %s", name, took)
			}
		}
	})
}
