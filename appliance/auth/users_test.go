package auth_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// TestChangeUser checks that owners change and delete each other but not themselves, that the last owner stays, and that
// the sessions of a disabled user end.
func TestChangeUser(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx, amal, zaid := t.Context(), h.addUser(t, "amal"), h.addUser(t, "zaid")
	token, _, err := h.SignIn(ctx, "zaid", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"role":    h.ChangeRole(ctx, amal, amal, account.Viewer, nil),
		"disable": h.DisableUser(ctx, amal, amal),
		"enable":  h.EnableUser(ctx, amal, amal),
		"delete":  h.DeleteUser(ctx, amal, amal),
	} {
		if !errors.Is(err, auth.ErrSelf) {
			t.Errorf("%s of oneself: %v", what, err)
		}
	}
	if err := h.DisableUser(ctx, amal, zaid); err != nil {
		t.Fatal(err)
	}
	if err := h.EnableUser(ctx, amal, zaid); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.LookUpSession(ctx, token); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a session from before the user was disabled: %v", err)
	}
	if err := h.ChangeRole(ctx, amal, zaid, account.Viewer, nil); err != nil {
		t.Fatal(err)
	}
	if err := h.ChangeRole(ctx, zaid, amal, account.Viewer, nil); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("the last owner's role: %v", err)
	}
	if err := h.DeleteUser(ctx, zaid, amal); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("the last owner's deletion: %v", err)
	}
	if err := h.DeleteUser(ctx, amal, zaid); err != nil {
		t.Fatal(err)
	}
}

// TestEndSessions checks that users end single sessions of their own, and all others, with an audit entry each.
func TestEndSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx, amal, zaid := t.Context(), h.addUser(t, "amal"), h.addUser(t, "zaid")
	var sessions []account.UserSession
	for _, name := range []string{"amal", "amal", "amal", "zaid"} {
		token, _, err := h.SignIn(ctx, name, goodPassword, here)
		if err != nil {
			t.Fatal(err)
		}
		session, _, err := h.LookUpSession(ctx, token)
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, session)
	}
	if err := h.EndUserSession(ctx, amal, auth.SessionID(sessions[3])); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another user's session: %v", err)
	}
	if err := h.EndUserSession(ctx, amal, auth.SessionID(sessions[0])); err != nil {
		t.Fatal(err)
	}
	if err := h.EndOtherSessions(ctx, amal, sessions[1]); err != nil {
		t.Fatal(err)
	}
	left, err := h.ListSessions(ctx, amal)
	if err != nil || len(left) != 1 || auth.SessionID(left[0]) != auth.SessionID(sessions[1]) {
		t.Errorf("left: %v, %v", left, err)
	}
	if left, err := h.ListSessions(ctx, zaid); err != nil || len(left) != 1 {
		t.Errorf("another user's: %v, %v", left, err)
	}
	trail, err := h.store.AuditTrail(ctx, account.Default, 50, "")
	ended := slices.DeleteFunc(trail.Items, func(e store.AuditEntry) bool { return e.Action != "user.sessions_end" })
	if err != nil || len(ended) != 2 || ended[0].Actor != "user:"+amal.ID {
		t.Errorf("audited: %v, %v", ended, err)
	}
}

// TestSavedViews checks that a view of the same name is replaced, that names and the number of views are limited, and
// that views are deleted.
func TestSavedViews(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx, amal := t.Context(), h.addUser(t, "amal")
	for _, name := range []string{"", strings.Repeat("ع", account.MaxViewName+1)} {
		if err := h.SaveView(ctx, amal, account.SavedView{Name: name, Query: "status=failed"}); store.CodeOf(err) != store.CodeInvalid {
			t.Errorf("%q: %v", name, err)
		}
	}
	for i := range account.MaxViews {
		for _, query := range []string{"status=failed", "status=completed"} {
			if err := h.SaveView(ctx, amal, account.SavedView{Name: strconv.Itoa(i), Query: query}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := h.SaveView(ctx, amal, account.SavedView{Name: "more", Query: "x"}); !errors.Is(err, auth.ErrViewsFull) {
		t.Errorf("one view too many: %v", err)
	}
	if err := h.DeleteView(ctx, amal, "0"); err != nil {
		t.Fatal(err)
	}
	now, err := h.store.FindUser(ctx, amal.ID)
	if err != nil || len(now.Views) != account.MaxViews-1 || now.Views[0] != (account.SavedView{Name: "1", Query: "status=completed"}) {
		t.Errorf("%v, %v", now.Views, err)
	}
}
