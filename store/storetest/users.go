package storetest

import (
	"bytes"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// testUsers: users are found by id and by name (case-insensitive) and listed by name; names are unique over all
// organizations.
func testUsers(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	for _, u := range []account.User{
		newUser("bakery", "u1", "zaid", account.Viewer), newUser("bakery", "u2", "Amal", account.Owner), newUser("airline", "u3", "omar", account.Owner),
	} {
		wantCode(t, "CreateUser "+u.Name, s.CreateUser(t.Context(), u, asked), "")
	}
	for what, c := range map[string]struct {
		user account.User
		code store.ErrorCode
	}{
		"of nobody":           {newUser("nobody", "u4", "four", account.Viewer), store.CodeNotFound},
		"same name elsewhere": {newUser("airline", "u4", "AMAL", account.Viewer), store.CodeConflict},
		"same id":             {newUser("airline", "u1", "four", account.Viewer), store.CodeConflict},
		"no such role":        {newUser("airline", "u4", "four", "root"), store.CodeInvalid},
		"no name":             {newUser("airline", "u4", "a/b", account.Viewer), store.CodeInvalid},
		"no id":               {newUser("airline", "a/b", "four", account.Viewer), store.CodeInvalid},
	} {
		wantCode(t, "CreateUser "+what, s.CreateUser(t.Context(), c.user, asked), c.code)
	}
	byName, err := s.UserByName(t.Context(), "aMAL")
	wantCode(t, "UserByName", err, "")
	byID, err := s.FindUser(t.Context(), "u2")
	wantCode(t, "User", err, "")
	if !reflect.DeepEqual(byName, byID) || byID.Name != "Amal" || byID.OrgID != "bakery" || byID.Role != account.Owner || byID.Password != "secret u2" {
		t.Errorf("read back %+v and %+v", byName, byID)
	}
	for _, id := range []string{"u4", "", "a/b"} {
		_, err = s.FindUser(t.Context(), id)
		wantCode(t, "User "+id, err, store.CodeNotFound)
	}
	_, err = s.UserByName(t.Context(), "four")
	wantCode(t, "UserByName of nobody", err, store.CodeNotFound)
	for orgID, want := range map[string]string{"bakery": "Amal zaid ", "airline": "omar ", "": "Amal omar zaid ", "nobody": ""} {
		all, err := s.ListUsers(t.Context(), orgID)
		wantCode(t, "Users "+orgID, err, "")
		names := ""
		for _, u := range all {
			names += u.Name + " "
		}
		if names != want {
			t.Errorf("users of %q are %q, want %q", orgID, names, want)
		}
	}
}

// userChanged: a change is applied completely or not at all; name and organization cannot change.
func userChanged(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	wantCode(t, "CreateUser", s.CreateUser(t.Context(), newUser("bakery", "u1", "amal", account.Viewer), asked), "")
	refused := errors.New("no")
	_, err := s.ChangeUser(t.Context(), "u1", "user.role", asked, startTime(), func(u *account.User) error {
		u.Role = account.Owner
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatalf("a refused change returns %v", err)
	}
	changed, err := s.ChangeUser(t.Context(), "u1", "user.role", asked, startTime(), func(u *account.User) error {
		u.Role, u.ID, u.OrgID, u.Name = account.Operator, "x", "y", "z"
		return nil
	})
	wantCode(t, "ChangeUser", err, "")
	found, err := s.FindUser(t.Context(), "u1")
	if wantCode(t, "User", err, ""); !reflect.DeepEqual(found, changed) || found.Role != account.Operator || found.Name != "amal" || found.OrgID != "bakery" {
		t.Errorf("changed to %+v, found %+v", changed, found)
	}
	_, err = s.ChangeUser(t.Context(), "u1", "user.role", asked, startTime(), func(u *account.User) error { u.Role = "root"; return nil })
	wantCode(t, "a role that is none", err, store.CodeInvalid)
	_, err = s.ChangeUser(t.Context(), "u2", "user.role", asked, startTime(), func(*account.User) error { return nil })
	wantCode(t, "ChangeUser of nobody", err, store.CodeNotFound)
	trail, err := s.AuditTrail(t.Context(), "bakery", 10, "")
	wantCode(t, "AuditTrail", err, "")
	if len(trail.Items) != 3 || trail.Items[0].Action != "user.role" || trail.Items[0].Subject != "amal" || trail.Items[1].Action != "user.create" {
		t.Errorf("the trail is %+v", trail.Items)
	}
}

// lastOwner: the last active owner of an organization cannot be removed.
func lastOwner(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	for _, u := range []account.User{
		newUser("bakery", "u1", "amal", account.Owner), newUser("bakery", "u2", "zaid", account.Operator), newUser("airline", "u3", "omar", account.Owner),
	} {
		wantCode(t, "CreateUser", s.CreateUser(t.Context(), u, asked), "")
	}
	now := startTime()
	demote := func(u *account.User) error { u.Role = account.Viewer; return nil }
	disable := func(u *account.User) error { u.DisabledAt = &now; return nil }
	for what, change := range map[string]func(*account.User) error{"demoted": demote, "disabled": disable} {
		_, err := s.ChangeUser(t.Context(), "u1", "user.change", asked, now, change)
		wantCode(t, "the last owner "+what, err, store.CodeConflict)
	}
	wantCode(t, "the last owner deleted", s.DeleteUser(t.Context(), "u1", asked, now), store.CodeConflict)
	_, err := s.ChangeUser(t.Context(), "u2", "user.role", asked, now, func(u *account.User) error { u.Role = account.Owner; return nil })
	wantCode(t, "a second owner", err, "")
	_, err = s.ChangeUser(t.Context(), "u1", "user.disable", asked, now, disable)
	wantCode(t, "the first owner disabled", err, "")
	wantCode(t, "the second deleted, the first disabled", s.DeleteUser(t.Context(), "u2", asked, now), store.CodeConflict)
	wantCode(t, "the disabled one deleted", s.DeleteUser(t.Context(), "u1", asked, now), "")
	_, err = s.UserByName(t.Context(), "amal")
	wantCode(t, "a deleted one", err, store.CodeNotFound)
	again := newUser("bakery", "u9", "amal", account.Viewer)
	wantCode(t, "the name of a deleted one", s.CreateUser(t.Context(), again, asked), "")
}

// webSessions: sessions are found by hash until they expire; using them extends the expiry.
func webSessions(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	wantCode(t, "CreateUser", s.CreateUser(t.Context(), newUser("bakery", "u1", "amal", account.Viewer), asked), "")
	first, second := newSession("u1", 1, startTime()), newSession("u1", 2, startTime().Add(time.Minute))
	for _, session := range []account.UserSession{first, second} {
		wantCode(t, "CreateSession", s.CreateSession(t.Context(), session), "")
	}
	wantCode(t, "the same hash", s.CreateSession(t.Context(), first), store.CodeConflict)
	wantCode(t, "no hash", s.CreateSession(t.Context(), account.UserSession{UserID: "u1"}), store.CodeInvalid)
	wantCode(t, "of nobody", s.CreateSession(t.Context(), newSession("u2", 3, startTime())), store.CodeNotFound)
	found, u, err := s.SessionByHash(t.Context(), keyHash(2), startTime())
	if wantCode(t, "SessionByHash", err, ""); found.UserID != "u1" || found.Agent != "browser" || !u.LastSignInAt.Equal(second.CreatedAt) {
		t.Errorf("found %+v of %+v", found, u)
	}
	at := startTime().Add(59 * time.Minute)
	wantCode(t, "TouchWebSession", s.TouchWebSession(t.Context(), keyHash(1), at, at.Add(time.Hour)), "")
	wantCode(t, "an older touch", s.TouchWebSession(t.Context(), keyHash(1), startTime(), startTime()), "")
	wantCode(t, "ConfirmWebSession", s.ConfirmWebSession(t.Context(), keyHash(1), at, "sid"), "")
	wantCode(t, "once more", s.ConfirmWebSession(t.Context(), keyHash(1), at, ""), "")
	confirmed, _, err := s.SessionByHash(t.Context(), keyHash(1), at)
	if wantCode(t, "SessionByHash", err, ""); confirmed.ConfirmedAt == nil || !confirmed.ConfirmedAt.Equal(at) || !confirmed.SeenAt.Equal(at) || confirmed.ExternalSession != "sid" {
		t.Errorf("confirmed %+v", confirmed)
	}
	wantCode(t, "confirming no session", s.ConfirmWebSession(t.Context(), keyHash(7), at, ""), store.CodeNotFound)
	late := startTime().Add(61 * time.Minute)
	_, _, err = s.SessionByHash(t.Context(), keyHash(1), late)
	wantCode(t, "a session that was used", err, "")
	_, _, err = s.SessionByHash(t.Context(), keyHash(2), late)
	wantCode(t, "a session that expired", err, store.CodeNotFound)
	wantCode(t, "confirming it", s.ConfirmWebSession(t.Context(), keyHash(2), late, ""), store.CodeNotFound)
	wantCode(t, "touching it", s.TouchWebSession(t.Context(), keyHash(2), late, late.Add(time.Hour)), store.CodeNotFound)
	all, err := s.ListSessions(t.Context(), "u1", startTime())
	if wantCode(t, "Sessions", err, ""); len(all) != 2 || all[0].Hash[0] != 2 {
		t.Errorf("listed %+v", all)
	}
	n, err := s.ExpireWebSessions(t.Context(), late)
	if wantCode(t, "ExpireWebSessions", err, ""); n != 1 {
		t.Errorf("%d expired", n)
	}
	all, err = s.ListSessions(t.Context(), "u1", startTime())
	if wantCode(t, "Sessions", err, ""); len(all) != 1 || all[0].Hash[0] != 1 {
		t.Errorf("left %+v", all)
	}
}

// webSessionsEnd: one session ends, all but one end, and all end with their user.
func webSessionsEnd(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	for _, id := range []string{"u1", "u2"} {
		wantCode(t, "CreateUser", s.CreateUser(t.Context(), newUser("bakery", id, id, account.Viewer), asked), "")
	}
	for n := byte(1); n <= 4; n++ {
		wantCode(t, "CreateSession", s.CreateSession(t.Context(), newSession("u1", n, startTime())), "")
	}
	wantCode(t, "CreateSession", s.CreateSession(t.Context(), newSession("u2", 9, startTime())), "")
	for range 2 {
		wantCode(t, "EndSession", s.EndSession(t.Context(), keyHash(1)), "")
	}
	n, err := s.EndSessions(t.Context(), "u1", keyHash(3))
	if wantCode(t, "EndSessions", err, ""); n != 2 {
		t.Errorf("%d ended", n)
	}
	for n, code := range map[byte]store.ErrorCode{
		1: store.CodeNotFound, 2: store.CodeNotFound, 3: "", 4: store.CodeNotFound, 9: "",
	} {
		_, _, err := s.SessionByHash(t.Context(), keyHash(n), startTime())
		wantCode(t, "SessionByHash", err, code)
	}
	wantCode(t, "DeleteUser", s.DeleteUser(t.Context(), "u1", asked, startTime()), "")
	_, _, err = s.SessionByHash(t.Context(), keyHash(3), startTime())
	wantCode(t, "a session of a deleted user", err, store.CodeNotFound)
	n, err = s.EndSessions(t.Context(), "u2", nil)
	if wantCode(t, "EndSessions", err, ""); n != 1 {
		t.Errorf("%d ended", n)
	}
}

// newUser returns a user who can sign in.
func newUser(orgID, id, name string, role account.UserRole) account.User {
	return account.User{ID: id, OrgID: orgID, Name: name, Role: role, Password: "secret " + id, CreatedAt: startTime()}
}

// newSession returns a session of one hour; its hash is made of n.
func newSession(userID string, n byte, at time.Time) account.UserSession {
	return account.UserSession{
		Hash: keyHash(n), UserID: userID, CreatedAt: at, SeenAt: at, ExpiresAt: startTime().Add(time.Hour),
		Address: "192.0.2.1", Agent: "browser",
	}
}

// oneTimeRecords: a record is accepted once, by one of many at once, and not after its expiry; an expired one gives its
// hash free.
func oneTimeRecords(t *testing.T, s store.Store) {
	first := account.OneTimeRecord{Hash: keyHash(1), ExpiresAt: startTime().Add(time.Minute), Data: []byte{0, 255}}
	second := account.OneTimeRecord{Hash: keyHash(2), ExpiresAt: startTime().Add(time.Hour)}
	for _, r := range []account.OneTimeRecord{first, second} {
		wantCode(t, "AddOneTime", s.AddOneTime(t.Context(), r, startTime()), "")
		wantCode(t, "again", s.AddOneTime(t.Context(), r, startTime()), store.CodeConflict)
	}
	wantCode(t, "no hash", s.AddOneTime(t.Context(), account.OneTimeRecord{}, startTime()), store.CodeInvalid)
	late := startTime().Add(time.Minute)
	_, err := s.TakeOneTime(t.Context(), keyHash(1), late)
	wantCode(t, "an expired one", err, store.CodeNotFound)
	wantCode(t, "its hash again", s.AddOneTime(t.Context(), second, late), store.CodeConflict)
	first.ExpiresAt = late.Add(time.Minute)
	wantCode(t, "an expired hash", s.AddOneTime(t.Context(), first, late), "")
	var taken atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			r, err := s.TakeOneTime(t.Context(), keyHash(1), late)
			if err == nil && bytes.Equal(r.Data, first.Data) {
				taken.Add(1)
			} else if store.CodeOf(err) != store.CodeNotFound {
				t.Error(err)
			}
		})
	}
	if group.Wait(); taken.Load() != 1 {
		t.Errorf("taken %d times", taken.Load())
	}
	n, err := s.ExpireOneTimes(t.Context(), startTime().Add(2*time.Hour))
	if wantCode(t, "ExpireOneTimes", err, ""); n != 1 {
		t.Errorf("%d expired", n)
	}
	_, err = s.TakeOneTime(t.Context(), keyHash(2), startTime())
	wantCode(t, "one that was swept", err, store.CodeNotFound)
}
