package admin_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
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

// TestDirectoryPassword checks that no password is set for a person of the company's directory, where it would never be
// asked for, also while no appliance runs.
func TestDirectoryPassword(t *testing.T) {
	t.Parallel()
	cfg := newConfig(filepath.Join(t.TempDir(), "data"))
	cfg.LDAPURL, cfg.LDAPBase = "ldaps://127.0.0.1:1", "dc=Example,dc=com"
	a, err := admin.OpenAdmin(t.Context(), cfg, true)
	if err != nil {
		t.Fatal(err)
	}
	u, err := a.CreateUser(t.Context(), account.Default, "amal", account.Owner, "a good long password")
	if err = errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	for issuer, code := range map[string]store.ErrorCode{
		"ldap:dc=example,dc=com": store.CodeConflict, "https://login.example.com": "", "ldap:dc=before,dc=com": "",
	} {
		s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.ChangeUser(t.Context(), u.ID, "user.external", "test", time.Now(), func(u *account.User) error {
			if u.PasswordUntil == nil {
				t.Error("a password that was typed on the command line is not a temporary one")
			}
			u.External = &account.ExternalID{Issuer: issuer, Subject: "616d616c"}
			return nil
		})
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		if a, err = admin.OpenAdmin(t.Context(), cfg, false); err != nil {
			t.Fatal(err)
		}
		_, err = a.SetPassword(t.Context(), "amal", "another long password")
		if store.CodeOf(err) != code || code != "" && !strings.Contains(err.Error(), "directory (ldap-url)") {
			t.Errorf("%s: %v", issuer, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

func twoStringFields[T any](_ T, err error) error { return err }
