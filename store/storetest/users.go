package storetest

import (
	"errors"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// users: found by id and by name whatever its case, listed by name, one name over all organizations.
func users(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	for _, u := range []org.User{
		newUser("bakery", "u1", "zaid", org.Viewer), newUser("bakery", "u2", "Amal", org.Owner), newUser("airline", "u3", "omar", org.Owner),
	} {
		wantCode(t, "CreateUser "+u.Name, s.CreateUser(t.Context(), u, asked), "")
	}
	for what, c := range map[string]struct {
		user org.User
		code store.Code
	}{
		"of nobody":           {newUser("nobody", "u4", "four", org.Viewer), store.CodeNotFound},
		"same name elsewhere": {newUser("airline", "u4", "AMAL", org.Viewer), store.CodeConflict},
		"same id":             {newUser("airline", "u1", "four", org.Viewer), store.CodeConflict},
		"no such role":        {newUser("airline", "u4", "four", "root"), store.CodeInvalid},
		"no name":             {newUser("airline", "u4", "a/b", org.Viewer), store.CodeInvalid},
		"no id":               {newUser("airline", "a/b", "four", org.Viewer), store.CodeInvalid},
	} {
		wantCode(t, "CreateUser "+what, s.CreateUser(t.Context(), c.user, asked), c.code)
	}
	byName, err := s.UserByName(t.Context(), "aMAL")
	wantCode(t, "UserByName", err, "")
	byID, err := s.User(t.Context(), "u2")
	wantCode(t, "User", err, "")
	if byName != byID || byID.Name != "Amal" || byID.OrgID != "bakery" || byID.Role != org.Owner || byID.Password != "secret u2" {
		t.Errorf("read back %+v and %+v", byName, byID)
	}
	for _, id := range []string{"u4", "", "a/b"} {
		_, err = s.User(t.Context(), id)
		wantCode(t, "User "+id, err, store.CodeNotFound)
	}
	_, err = s.UserByName(t.Context(), "four")
	wantCode(t, "UserByName of nobody", err, store.CodeNotFound)
	for orgID, want := range map[string]string{"bakery": "Amal zaid ", "airline": "omar ", "": "Amal omar zaid ", "nobody": ""} {
		all, err := s.Users(t.Context(), orgID)
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

// userChanged: whole or not at all, and what a user is called and belongs to stays.
func userChanged(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	wantCode(t, "CreateUser", s.CreateUser(t.Context(), newUser("bakery", "u1", "amal", org.Viewer), asked), "")
	refused := errors.New("no")
	_, err := s.ChangeUser(t.Context(), "u1", "user.role", asked, clock(), func(u *org.User) error {
		u.Role = org.Owner
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatalf("a refused change says %v", err)
	}
	changed, err := s.ChangeUser(t.Context(), "u1", "user.role", asked, clock(), func(u *org.User) error {
		u.Role, u.ID, u.OrgID, u.Name = org.Operator, "x", "y", "z"
		return nil
	})
	wantCode(t, "ChangeUser", err, "")
	found, err := s.User(t.Context(), "u1")
	if wantCode(t, "User", err, ""); found != changed || found.Role != org.Operator || found.Name != "amal" || found.OrgID != "bakery" {
		t.Errorf("changed to %+v, found %+v", changed, found)
	}
	_, err = s.ChangeUser(t.Context(), "u1", "user.role", asked, clock(), func(u *org.User) error { u.Role = "root"; return nil })
	wantCode(t, "a role that is none", err, store.CodeInvalid)
	_, err = s.ChangeUser(t.Context(), "u2", "user.role", asked, clock(), func(*org.User) error { return nil })
	wantCode(t, "ChangeUser of nobody", err, store.CodeNotFound)
	trail, err := s.AuditTrail(t.Context(), "bakery", 10, "")
	wantCode(t, "AuditTrail", err, "")
	if len(trail.Items) != 2 || trail.Items[0].Action != "user.role" || trail.Items[0].Subject != "amal" || trail.Items[1].Action != "user.create" {
		t.Errorf("the trail is %+v", trail.Items)
	}
}

// lastOwner: an organization that has an owner keeps one.
func lastOwner(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	for _, u := range []org.User{
		newUser("bakery", "u1", "amal", org.Owner), newUser("bakery", "u2", "zaid", org.Operator), newUser("airline", "u3", "omar", org.Owner),
	} {
		wantCode(t, "CreateUser", s.CreateUser(t.Context(), u, asked), "")
	}
	now := clock()
	demote := func(u *org.User) error { u.Role = org.Viewer; return nil }
	disable := func(u *org.User) error { u.DisabledAt = &now; return nil }
	for what, change := range map[string]func(*org.User) error{"demoted": demote, "disabled": disable} {
		_, err := s.ChangeUser(t.Context(), "u1", "user.change", asked, now, change)
		wantCode(t, "the last owner "+what, err, store.CodeConflict)
	}
	wantCode(t, "the last owner deleted", s.DeleteUser(t.Context(), "u1", asked, now), store.CodeConflict)
	_, err := s.ChangeUser(t.Context(), "u2", "user.role", asked, now, func(u *org.User) error { u.Role = org.Owner; return nil })
	wantCode(t, "a second owner", err, "")
	_, err = s.ChangeUser(t.Context(), "u1", "user.disable", asked, now, disable)
	wantCode(t, "the first owner disabled", err, "")
	wantCode(t, "the second deleted, the first disabled", s.DeleteUser(t.Context(), "u2", asked, now), store.CodeConflict)
	wantCode(t, "the disabled one deleted", s.DeleteUser(t.Context(), "u1", asked, now), "")
	_, err = s.UserByName(t.Context(), "amal")
	wantCode(t, "a deleted one", err, store.CodeNotFound)
	again := newUser("bakery", "u9", "amal", org.Viewer)
	wantCode(t, "the name of a deleted one", s.CreateUser(t.Context(), again, asked), "")
}

// webSessions: found by hash until they expire, which using them puts off.
func webSessions(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	wantCode(t, "CreateUser", s.CreateUser(t.Context(), newUser("bakery", "u1", "amal", org.Viewer), asked), "")
	first, second := newSession("u1", 1, clock()), newSession("u1", 2, clock().Add(time.Minute))
	for _, session := range []org.Session{first, second} {
		wantCode(t, "CreateSession", s.CreateSession(t.Context(), session), "")
	}
	wantCode(t, "the same hash", s.CreateSession(t.Context(), first), store.CodeConflict)
	wantCode(t, "no hash", s.CreateSession(t.Context(), org.Session{UserID: "u1"}), store.CodeInvalid)
	wantCode(t, "of nobody", s.CreateSession(t.Context(), newSession("u2", 3, clock())), store.CodeNotFound)
	found, u, err := s.SessionByHash(t.Context(), hash(2), clock())
	if wantCode(t, "SessionByHash", err, ""); found.UserID != "u1" || found.Agent != "browser" || !u.LastSignInAt.Equal(second.CreatedAt) {
		t.Errorf("found %+v of %+v", found, u)
	}
	at := clock().Add(59 * time.Minute)
	wantCode(t, "TouchWebSession", s.TouchWebSession(t.Context(), hash(1), at, at.Add(time.Hour)), "")
	wantCode(t, "an older touch", s.TouchWebSession(t.Context(), hash(1), clock(), clock()), "")
	late := clock().Add(61 * time.Minute)
	_, _, err = s.SessionByHash(t.Context(), hash(1), late)
	wantCode(t, "a session that was used", err, "")
	_, _, err = s.SessionByHash(t.Context(), hash(2), late)
	wantCode(t, "a session that expired", err, store.CodeNotFound)
	wantCode(t, "touching it", s.TouchWebSession(t.Context(), hash(2), late, late.Add(time.Hour)), store.CodeNotFound)
	all, err := s.Sessions(t.Context(), "u1", clock())
	if wantCode(t, "Sessions", err, ""); len(all) != 2 || all[0].Hash[0] != 2 {
		t.Errorf("listed %+v", all)
	}
	n, err := s.ExpireWebSessions(t.Context(), late)
	if wantCode(t, "ExpireWebSessions", err, ""); n != 1 {
		t.Errorf("%d expired", n)
	}
	all, err = s.Sessions(t.Context(), "u1", clock())
	if wantCode(t, "Sessions", err, ""); len(all) != 1 || all[0].Hash[0] != 1 {
		t.Errorf("left %+v", all)
	}
}

// webSessionsEnd: one, all but one, and with their user.
func webSessionsEnd(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	for _, id := range []string{"u1", "u2"} {
		wantCode(t, "CreateUser", s.CreateUser(t.Context(), newUser("bakery", id, id, org.Viewer), asked), "")
	}
	for n := byte(1); n <= 4; n++ {
		wantCode(t, "CreateSession", s.CreateSession(t.Context(), newSession("u1", n, clock())), "")
	}
	wantCode(t, "CreateSession", s.CreateSession(t.Context(), newSession("u2", 9, clock())), "")
	for range 2 {
		wantCode(t, "EndSession", s.EndSession(t.Context(), hash(1)), "")
	}
	n, err := s.EndSessions(t.Context(), "u1", hash(3))
	if wantCode(t, "EndSessions", err, ""); n != 2 {
		t.Errorf("%d ended", n)
	}
	for n, code := range map[byte]store.Code{
		1: store.CodeNotFound, 2: store.CodeNotFound, 3: "", 4: store.CodeNotFound, 9: "",
	} {
		_, _, err := s.SessionByHash(t.Context(), hash(n), clock())
		wantCode(t, "SessionByHash", err, code)
	}
	wantCode(t, "DeleteUser", s.DeleteUser(t.Context(), "u1", asked, clock()), "")
	_, _, err = s.SessionByHash(t.Context(), hash(3), clock())
	wantCode(t, "a session of a deleted user", err, store.CodeNotFound)
	n, err = s.EndSessions(t.Context(), "u2", nil)
	if wantCode(t, "EndSessions", err, ""); n != 1 {
		t.Errorf("%d ended", n)
	}
}

// noted: what no other fact tells of stands in the trail of its organization alone.
func noted(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	line := store.Change{At: clock(), Actor: asked, Action: "key.create", Subject: "shop", Note: "stt"}
	wantCode(t, "Note", s.Note(t.Context(), "bakery", line), "")
	wantCode(t, "Note of nobody", s.Note(t.Context(), "nobody", line), store.CodeNotFound)
	for orgID, want := range map[string]int{"bakery": 1, "airline": 0} {
		trail, err := s.AuditTrail(t.Context(), orgID, 10, "")
		wantCode(t, "AuditTrail", err, "")
		if len(trail.Items) != want || want == 1 && trail.Items[0] != line {
			t.Errorf("the trail of %s is %+v", orgID, trail.Items)
		}
	}
}

// newUser is one who may sign in.
func newUser(orgID, id, name string, role org.Role) org.User {
	return org.User{ID: id, OrgID: orgID, Name: name, Role: role, Password: "secret " + id, CreatedAt: clock()}
}

// newSession lasts an hour; its hash is made of n.
func newSession(userID string, n byte, at time.Time) org.Session {
	return org.Session{
		Hash: hash(n), UserID: userID, CreatedAt: at, SeenAt: at, ExpiresAt: clock().Add(time.Hour),
		Address: "192.0.2.1", Agent: "browser",
	}
}
