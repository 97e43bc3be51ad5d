package console_test

import (
	"net/http"
	"strings"
	"testing"

	"munadi/appliance/console"
	"munadi/store/account"
)

// TestPasskeySites: passkeys are offered at the public URL over HTTPS and at localhost, and at no other host that a
// request names.
func TestPasskeySites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		public, host string
		status       int
	}{
		{"https://munadi.example.com", "munadi.example.com", http.StatusOK},
		{"https://munadi.example.com:8443", "MUNADI.example.com:8443", http.StatusOK},
		{"http://munadi.example.com", "munadi.example.com", http.StatusUnprocessableEntity},
		{"https://192.0.2.7", "192.0.2.7", http.StatusUnprocessableEntity},
		{"https://munadi.example.com", "evil.example", http.StatusUnprocessableEntity},
		{"https://munadi.example.com", "munadi.example.com:444", http.StatusUnprocessableEntity},
		{"https://munadi.example.com", "localhost:8080", http.StatusOK},
		{"http://127.0.0.1:8080", "127.0.0.1:8080", http.StatusUnprocessableEntity},
	} {
		d := startConsoleWith(t, func(d *console.Dependencies) { d.PublicURL = func() string { return c.public } })
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.URL+"/console/sign-in/passkey/options", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		p := d.newBrowser(t).sendRequest(r)
		id, _, _ := strings.Cut(strings.ToLower(c.host), ":")
		if p.Status != c.status || p.Status == http.StatusOK && !strings.Contains(p.Body, `"rpId":"`+id+`"`) {
			t.Errorf("%s at %s: %d %s", c.host, c.public, p.Status, p.Body)
		}
	}
}

// TestPasskeyPages: passkeys change only after the user has authenticated again, with a code where there is a second
// factor; the last factor stays where the organization requires one.
func TestPasskeyPages(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	u := d.addUser(t, account.Default, "amal", account.Owner)
	b := d.signIn(t, "amal")
	const path, again = "/console/account/passkeys", "/console/account/confirm?next=%2Fconsole%2Faccount%2Fpasskeys"
	b.getPage("/console/account").wantText(path)
	b.getPage(path).wantStatus(http.StatusOK).wantText(again).wantNoText("data-passkey")
	for _, act := range []string{"", "/options", "/rename", "/remove", "/recovery"} {
		b.postForm(path + act).wantRedirect(again)
	}
	_, err := d.store.ChangeUser(t.Context(), u.ID, "user.passkey_add", "test", d.currentTime(), func(kept *account.User) error {
		kept.Passkeys = []account.Passkey{{ID: []byte{1}, Name: "phone <1>"}}
		kept.SecondFactor = &account.SecondFactor{Since: d.currentTime()}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.getPage(path).wantText("phone &lt;1&gt;")
	b.getPage(again).wantText(`name="code"`)
	b.postForm("/console/account/confirm", "current", goodPassword, "next", path).wantStatus(http.StatusUnprocessableEntity)
	b.postForm(path + "/remove").wantRedirect(again)
	b.getPage(path + "/remove?passkey=AQ").wantRedirect(again)
	s, err := d.store.ListSessions(t.Context(), u.ID, d.currentTime())
	if err != nil || len(s) != 1 {
		t.Fatalf("%d sessions, %v", len(s), err)
	}
	if err := d.store.ConfirmWebSession(t.Context(), s[0].Hash, d.currentTime(), ""); err != nil {
		t.Fatal(err)
	}
	b.postForm(path, "name", "x", "response", "{}").wantStatus(http.StatusUnprocessableEntity) // at an address without passkeys
	add := b.newFormRequest(path, b.csrf, "name", strings.Repeat("x", 41), "response", "{}")
	for _, one := range b.Jar.Cookies(add.URL) { // the jar has none for another host
		add.AddCookie(one)
	}
	add.Host = "localhost:8080"
	b.sendRequest(add).wantStatus(http.StatusUnprocessableEntity).wantText(`value="` + strings.Repeat("x", 41) + `"`).wantText("1 to 40")
	b.postForm(path + "/recovery").wantRedirect(path)
	b.getPage(path).wantText(`id="codes"`)
	long := strings.Repeat("هاتف ", 8) + "x"
	refused := b.postForm(path+"/rename", "passkey", "AQ", "name", long).wantStatus(http.StatusUnprocessableEntity)
	refused.wantText(`value="` + long + `"`).wantText("1 to 40").wantText("phone &lt;1&gt;")
	if shown := strings.Count(refused.Body, "1 to 40"); shown != 1 {
		t.Errorf("the fault is shown %d times", shown)
	}
	b.postForm(path+"/rename", "passkey", "AQ", "name", " ").wantStatus(http.StatusUnprocessableEntity).wantText("1 to 40")
	b.postForm(path+"/rename", "passkey", "AQ", "name", "desk").wantRedirect(path)
	b.getPage(path).wantText("desk")
	b.postForm(path+"/rename", "passkey", "Ag", "name", "desk").wantStatus(http.StatusNotFound)
	b.postForm(path+"/remove", "passkey", "*").wantStatus(http.StatusNotFound)
	b.getPage(path + "/remove?passkey=AQ").wantStatus(http.StatusOK).wantText("Remove this passkey?").wantText("desk")
	b.getPage(path + "/remove?passkey=Ag").wantStatus(http.StatusNotFound)
	b.getPage(path).wantText("desk") // asked, not removed
	b.postForm("/console/users/second-factor", "needed", "1").wantRedirect("/console/users")
	b.getPage("/console/users").wantStatus(http.StatusOK) // the passkey is one
	b.postForm(path+"/remove", "passkey", "AQ").wantRedirect(path)
	b.getPage(path).wantText("Add another way").wantText("desk")
	b.postForm("/console/users/second-factor").wantRedirect("/console/users")
	b.postForm(path+"/remove", "passkey", "AQ").wantRedirect(path)
	b.getPage(path).wantNoText("desk")
}
