package console_test

import (
	"net/http"
	"strings"
	"testing"

	goldap "github.com/go-ldap/ldap/v3"

	"munadi/appliance/config"
	"munadi/appliance/ldap"
	"munadi/appliance/ldap/ldaptest"
	"munadi/store/account"
)

// TestDirectorySignIn signs people of a real slapd in by the usual form: the role is that of their group, the password of
// the directory confirms, and the account page offers no other one.
func TestDirectorySignIn(t *testing.T) {
	t.Parallel()
	server := ldaptest.StartServer(t)
	d := startConsole(t)
	d.addUser(t, account.Default, "admin", account.Owner)
	directory, err := ldap.OpenDirectory(server.Settings())
	if err != nil {
		t.Fatal(err)
	}
	d.accounts.UseDirectory(directory)
	b := d.newBrowser(t)
	if p := b.getPage("/console/sign-in"); !strings.Contains(p.Body, "those of a user of this appliance") {
		t.Error("the form does not say whose password it takes")
	}
	enter := func(name, password string) fetchedPage {
		return b.postForm("/console/sign-in", "name", name, "password", password)
	}
	wrong, nobody := enter("badr", "wrong"), enter("nobody", "wrong")
	if wrong.Status != http.StatusUnauthorized || strings.ReplaceAll(wrong.Body, "badr", "nobody") != nobody.Body {
		t.Errorf("a wrong password is %d, nobody %d, or the pages differ", wrong.Status, nobody.Status)
	}
	if p := enter("outsider", ldaptest.PasswordOf("outsider")); p.Status != http.StatusForbidden || !strings.Contains(p.Body, "You have no role") {
		t.Errorf("without a group: %d", p.Status)
	}
	if p := enter("dalal", ldaptest.PasswordOf("dalal")); p.Status != http.StatusForbidden {
		t.Errorf("an organization that is not here: %d", p.Status)
	}
	if p := enter("amal", ldaptest.PasswordOf("amal")); p.Status != http.StatusSeeOther {
		t.Fatalf("amal: %d %s", p.Status, p.Body)
	}
	p := b.getPage("/console/account")
	if p.Status != http.StatusOK || strings.Contains(p.Body, `action="/console/account/password"`) || !strings.Contains(p.Body, "second-factor") {
		t.Errorf("the account page is %d", p.Status)
	}
	if p := b.postForm("/console/account/password", "current", ldaptest.PasswordOf("amal"), "new", "another long one", "again", "another long one"); p.Status == http.StatusSeeOther {
		t.Error("a password of its own is set")
	}
	if p := b.postForm("/console/account/confirm", "current", "wrong", "next", "/console/account"); p.Status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong password confirms: %d", p.Status)
	}
	if p := b.postForm("/console/account/confirm", "current", ldaptest.PasswordOf("amal"), "next", "/console/account"); p.Status != http.StatusSeeOther {
		t.Errorf("the password does not confirm: %d %s", p.Status, p.Body)
	}
	server.Change(func(c *goldap.Conn) error { return c.Del(goldap.NewDelRequest(ldaptest.FormatDN("amal"), nil)) })
	if err := d.accounts.CheckSignedIn(t.Context()); err != nil {
		t.Error(err)
	}
	if p := b.getPage("/console/account"); p.Status != http.StatusSeeOther {
		t.Errorf("who has left the directory still sees %d", p.Status)
	}
}

// TestDirectoryAwaySignIn: while the directory is away, a wrong password of a user of the appliance and a name that
// nobody has get the same page, which is true for both; the right password signs in.
func TestDirectoryAwaySignIn(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "local", account.Owner)
	settings := config.Default()
	settings.LDAPURL, settings.LDAPBase, settings.LDAPBindDN = "ldap://127.0.0.1:1", "dc=example,dc=com", ldaptest.Searcher
	settings.LDAPBindPassword = ldaptest.Password
	directory, err := ldap.OpenDirectory(settings)
	if err != nil {
		t.Fatal(err)
	}
	d.accounts.UseDirectory(directory)
	b := d.newBrowser(t)
	enter := func(name, password string) fetchedPage {
		return b.postForm("/console/sign-in", "name", name, "password", password)
	}
	local, nobody := enter("local", "wrong"), enter("nobody", "wrong")
	if local.Status != http.StatusServiceUnavailable || strings.ReplaceAll(local.Body, `"local"`, `"nobody"`) != nobody.Body ||
		!strings.Contains(local.Body, "If you are a user of this appliance, the user name or the password is wrong.") {
		t.Errorf("a wrong password is %d, nobody %d, or the pages differ", local.Status, nobody.Status)
	}
	if p := enter("local", goodPassword); p.Status != http.StatusSeeOther {
		t.Errorf("the right password: %d", p.Status)
	}
}
