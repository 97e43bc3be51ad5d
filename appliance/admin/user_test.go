package admin_test

import (
	"path/filepath"
	"testing"

	"munadi/appliance/admin"
	"munadi/store"
	"munadi/store/account"
)

// TestUsersOverTheSocket checks that changes of users have the same results with and without a running appliance.
func TestUsersOverTheSocket(t *testing.T) {
	t.Parallel()
	cfg := newConfig(filepath.Join(t.TempDir(), "data"))
	for _, running := range []bool{false, true} {
		if running {
			_, stop := startAdminServer(t, cfg)
			defer stop()
		}
		a, err := admin.OpenAdmin(t.Context(), cfg, true)
		if err != nil {
			t.Fatal(err)
		}
		name := map[bool]string{false: "amal", true: "zaid"}[running]
		u, err := a.CreateUser(t.Context(), account.Default, name, account.Owner, "a good long password")
		if err != nil || u.Name != name || u.ID == "" {
			t.Fatalf("CreateUser: %+v, %v", u, err)
		}
		for what, code := range map[error]store.ErrorCode{
			twoStringFields(a.CreateUser(t.Context(), account.Default, name, account.Owner, "a good long password")): store.CodeConflict,
			twoStringFields(a.CreateUser(t.Context(), "nobody", "x", account.Owner, "a good long password")):         store.CodeNotFound,
			twoStringFields(a.CreateUser(t.Context(), account.Default, "x", account.Owner, "short")):                 store.CodeInvalid,
			twoStringFields(a.CreateUser(t.Context(), account.Default, "x", "root", "a good long password")):         store.CodeInvalid,
			twoStringFields(a.SetPassword(t.Context(), "nobody", "a good long password")):                            store.CodeNotFound,
			twoStringFields(a.SetPassword(t.Context(), name, "another long password")):                               "",
			twoStringFields(a.RemoveSecondFactor(t.Context(), "nobody")):                                             store.CodeNotFound,
			twoStringFields(a.RemoveSecondFactor(t.Context(), name)):                                                 store.CodeConflict,
		} {
			if store.CodeOf(what) != code {
				t.Errorf("running %v: %v, want %q", running, what, code)
			}
		}
		if all, err := a.ListUsers(t.Context(), ""); err != nil || len(all) != map[bool]int{false: 1, true: 2}[running] {
			t.Errorf("listed %+v, %v", all, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

func twoStringFields[T any](_ T, err error) error { return err }
