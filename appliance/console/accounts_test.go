package console_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/scenario"
)

const goodPassword = "correct horse battery"

// desk is a console over a real store, with a clock to turn.
type desk struct {
	*httptest.Server
	store    *badger.BadgerStore
	accounts *auth.AccountService
	seconds  atomic.Int64
}

func (d *desk) now() time.Time { return time.Now().Add(time.Duration(d.seconds.Load()) * time.Second) }

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d := &desk{store: s}
	log, secret := slog.New(slog.DiscardHandler), auth.InstallationSecret{1}
	if _, err := auth.BootstrapOrganization(t.Context(), s, secret, "", d.now()); err != nil {
		t.Fatal(err)
	}
	d.accounts = auth.NewAccounts(s, secret, d.now, log)
	cases := &service.UseCases{
		Store: s, Keys: auth.NewKeyVerifier(s, secret, d.now, log), Now: d.now,
		BuiltIn: func() []scenario.Scenario { return []scenario.Scenario{{ID: "appointment_confirmation"}} },
		CheckURL: func(_ context.Context, url string) error {
			if strings.Contains(url, "169.254") {
				return errors.New("leads to a link-local address")
			}
			return nil
		},
	}
	door := console.NewService(console.Dependencies{
		Store: s, UseCases: cases, Gate: d.accounts, Accounts: d.accounts, Now: d.now, Log: log,
		Assets: "/assets/0", Version: "1.2.3", Simulated: true, Models: newModelWorker(t, s), PublicURL: func() string { return d.URL },
	})
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler(
		middleware.ErrorFace{Root: console.Root, Explain: door.ExplainError, Type: echo.MIMETextHTMLCharsetUTF8})
	e.Use(middleware.RequestID)
	door.MountRoutes(e)
	d.Server = httptest.NewServer(e)
	t.Cleanup(d.Close)
	return d
}

// user adds one with the good password.
func (d *desk) user(t *testing.T, orgID, name string, role account.UserRole) account.User {
	t.Helper()
	u, err := d.accounts.CreateUser(t.Context(), orgID, name, role, goodPassword, "test")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// browser keeps cookies, follows no redirect, and speaks English.
type browser struct {
	*http.Client
	t    *testing.T
	base string
	csrf string // of the last page that had one
}

func (d *desk) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := url.Parse(d.URL)
	jar.SetCookies(base, []*http.Cookie{{Name: "munadi_lang", Value: "en"}})
	return &browser{t: t, base: d.URL, Client: &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// as is a browser that is signed in.
func (d *desk) as(t *testing.T, name string) *browser {
	t.Helper()
	b := d.browser(t)
	b.post("/console/sign-in", "name", name, "password", goodPassword).want(http.StatusSeeOther)
	b.get("/console/account").want(http.StatusOK)
	return b
}

// page is an answer.
type page struct {
	t      *testing.T
	Status int
	Header http.Header
	Body   string
	path   string
}

func (p page) want(status int) page {
	p.t.Helper()
	if p.Status != status {
		p.t.Fatalf("%s: status %d, want %d: %.300s", p.path, p.Status, status, p.main())
	}
	return p
}

// to wants a redirect to a path.
func (p page) to(path string) page {
	p.t.Helper()
	if p.want(http.StatusSeeOther); p.Header.Get("Location") != path {
		p.t.Fatalf("%s: redirects to %s, want %s", p.path, p.Header.Get("Location"), path)
	}
	return p
}

// main is what a person reads of it.
func (p page) main() string {
	_, main, _ := strings.Cut(p.Body, "<main")
	return main
}

func (p page) has(text string) page {
	p.t.Helper()
	if !strings.Contains(p.main(), text) {
		p.t.Errorf("%s lacks %q: %.600s", p.path, text, p.main())
	}
	return p
}

func (p page) lacks(text string) page {
	p.t.Helper()
	if strings.Contains(p.main(), text) {
		p.t.Errorf("%s has %q", p.path, text)
	}
	return p
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (b *browser) send(r *http.Request) page {
	b.t.Helper()
	res, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	if found := csrfField.FindSubmatch(body); found != nil {
		b.csrf = string(found[1])
	}
	return page{b.t, res.StatusCode, res.Header, string(body), r.Method + " " + r.URL.Path}
}

func (b *browser) get(path string) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(r)
}

// post sends a form of names and values with the CSRF token of the last page.
func (b *browser) post(path string, fields ...string) page {
	b.t.Helper()
	return b.send(b.form(path, b.csrf, fields...))
}

func (b *browser) form(path, csrf string, fields ...string) *http.Request {
	b.t.Helper()
	q := url.Values{"csrf": {csrf}}
	for i := 0; i < len(fields); i += 2 {
		q.Add(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+path, strings.NewReader(q.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// cookie is the session cookie's value.
func (b *browser) cookie() string {
	base, _ := url.Parse(b.base)
	for _, c := range b.Jar.Cookies(base) {
		if c.Name == "munadi_session" {
			return c.Value
		}
	}
	return ""
}

// TestSignInSpeaksTheLanguageThatWasAskedFor: a link to a page in Arabic leads a browser that was used in
// English to a sign-in page in Arabic.
func TestSignInSpeaksTheLanguageThatWasAskedFor(t *testing.T) {
	t.Parallel()
	b := newDesk(t).browser(t)
	b.get("/console/calls?lang=ar").to("/console/sign-in?next=%2Fconsole%2Fcalls%3Flang%3Dar")
	b.get("/console/sign-in").want(200).has("تسجيل الدخول")
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Viewer)
	b := d.browser(t)
	b.get("/console/account").to("/console/sign-in?next=%2Fconsole%2Faccount")
	b.get("/console/sign-in?next=%2Fconsole%2Faccount").want(200).has(`value="/console/account"`)
	wrong := b.post("/console/sign-in", "name", "amal", "password", "wrong").want(http.StatusUnauthorized).has("is wrong")
	if wrong.Header.Get("Set-Cookie") != "" && b.cookie() != "" {
		t.Error("a refused sign-in sets a session")
	}
	in := b.post("/console/sign-in", "name", "AMAL", "password", goodPassword, "next", "/console/account").to("/console/account")
	for _, part := range []string{"HttpOnly", "SameSite=Lax", "Path=/;"} {
		if !strings.Contains(in.Header.Get("Set-Cookie")+";", part) {
			t.Errorf("the cookie %q lacks %s", in.Header.Get("Set-Cookie"), part)
		}
	}
	p := b.get("/console/account").want(200).has("amal")
	if p.Header.Get("Cache-Control") != "no-store" || !strings.Contains(p.Header.Get("Content-Security-Policy"), "default-src 'self'") {
		t.Errorf("headers %v", p.Header)
	}
	b.get("/console/sign-in").to("/console")
	old := b.cookie()
	out := b.post("/console/sign-out").to("/console/sign-in")
	if b.cookie() != "" || out.Header.Get("Clear-Site-Data") != `"storage"` {
		t.Error("the cookie stays, or what scripts kept")
	}
	b.get("/console/sign-in").want(200).has("signed out")
	base, _ := url.Parse(d.URL)
	b.Jar.SetCookies(base, []*http.Cookie{{Name: "munadi_session", Value: old}})
	b.get("/console/account").want(http.StatusSeeOther)
}

// TestNext: after the sign-in, nobody is sent to another site.
func TestNext(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Viewer)
	for next, want := range map[string]string{
		"":                         "/console",
		"/console/calls?status=x":  "/console/calls?status=x",
		"https://evil.example/":    "/console",
		"//evil.example/console/":  "/console",
		"/\\evil.example/console":  "/console",
		"/consolexyz":              "/console",
		"/api/v1/calls":            "/console",
		"javascript:alert(1)":      "/console",
		"/console/sign-out":        "/console",
		"/console/\r\nX: y":        "/console",
		"http:/console/evil":       "/console",
		"/console/../../elsewhere": "/console",
	} {
		got := d.browser(t).post("/console/sign-in", "name", "amal", "password", goodPassword, "next", next)
		if got.Status != http.StatusSeeOther || got.Header.Get("Location") != want {
			t.Errorf("next=%q leads to %d %q, want %q", next, got.Status, got.Header.Get("Location"), want)
		}
	}
}

// TestFixation: a token that was there before the sign-in opens nothing after it.
func TestFixation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Viewer)
	b := d.as(t, "amal")
	planted := b.cookie()
	b.post("/console/sign-in", "name", "amal", "password", goodPassword).want(http.StatusSeeOther)
	if b.cookie() == planted || b.cookie() == "" {
		t.Fatal("the token is the same after another sign-in")
	}
	if _, _, err := d.accounts.LookUpSession(t.Context(), planted); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("the token from before: %v", err)
	}
}

func TestLockedOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Viewer)
	b := d.browser(t)
	for range 5 {
		b.post("/console/sign-in", "name", "amal", "password", "wrong").want(http.StatusUnauthorized)
	}
	p := b.post("/console/sign-in", "name", "amal", "password", goodPassword).want(http.StatusTooManyRequests)
	if p.has("Try again"); p.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.seconds.Add(31)
	b.post("/console/sign-in", "name", "amal", "password", goodPassword).to("/console")
	trail, err := d.store.AuditTrail(t.Context(), account.Default, 50, "")
	if refused := fmt.Sprint(trail.Items); err != nil || !strings.Contains(refused, "user.sign_in_refused amal") {
		t.Errorf("the audit trail tells nothing of it: %v %v", trail.Items, err)
	}
}

// TestKnownBrowserSignsInDuringAttack: with wrong guesses that never end, the browser that has signed in before signs in,
// and a signed-in person changes the password.
func TestKnownBrowserSignsInDuringAttack(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Owner)
	known, attacker := d.as(t, "amal"), d.browser(t)
	known.post("/console/sign-out").to("/console/sign-in")
	signedIn := d.as(t, "amal")
	for range 6 {
		attacker.post("/console/sign-in", "name", "amal", "password", "wrong")
	}
	attacker.post("/console/sign-in", "name", "amal", "password", goodPassword).want(http.StatusTooManyRequests)
	known.post("/console/sign-in", "name", "amal", "password", goodPassword).to("/console")
	const next = "another horse battery"
	signedIn.post("/console/account/password", "current", goodPassword, "new", next, "again", next).
		to("/console/account")
}

func TestForgedForms(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Owner)
	d.user(t, account.Default, "zaid", account.Owner)
	b, other := d.as(t, "amal"), d.as(t, "zaid")
	for _, csrf := range []string{"", other.csrf, b.csrf[:10]} {
		b.send(b.form("/console/keys", csrf, "name", "x", "scope", "stt")).want(http.StatusForbidden).has("not accepted")
	}
	r := b.form("/console/keys", b.csrf, "name", "x", "scope", "stt")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	b.send(r).want(http.StatusForbidden)
	r = b.form("/console/keys", b.csrf, "name", "x", "scope", "stt")
	r.Header.Set("Origin", "https://evil.example")
	b.send(r).want(http.StatusForbidden)
	r = b.form("/console/sign-in", "", "name", "amal", "password", goodPassword)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	b.send(r).want(http.StatusForbidden)
	if all, _ := d.store.ListKeys(t.Context(), account.Default); len(all) != 0 {
		t.Errorf("a forged form made %v", all)
	}
	r = b.form("/console/keys", "", "name", "by header", "scope", "stt")
	r.Header.Set("X-CSRF-Token", b.csrf)
	b.send(r).to("/console/keys")
	d.browser(t).post("/console/keys", "name", "x").want(http.StatusUnauthorized).has("Sign in first")
}

func TestRoles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	addOrganization(t, d, "bakery")
	d.user(t, "bakery", "viewer", account.Viewer)
	d.user(t, "bakery", "operator", account.Operator)
	d.user(t, "bakery", "owner", account.Owner)
	for path, needed := range map[string]account.UserRole{
		"/console/account": account.Viewer, "/console/keys": account.Owner, "/console/users": account.Owner, "/console/audit": account.Owner,
		"/console/audit.csv": account.Owner, "/console/webhook": account.Owner,
	} {
		for _, role := range account.AllRoles() {
			want := http.StatusForbidden
			if role.Allows(needed) {
				want = http.StatusOK
			}
			if got := d.as(t, string(role)).get(path); got.Status != want {
				t.Errorf("%s for a %s: %d", path, role, got.Status)
			}
		}
	}
	b := d.as(t, "owner")
	b.get("/console/organizations").want(http.StatusNotFound)
	b.post("/console/organizations", "id", "x", "name", "x").want(http.StatusNotFound)
	b.get("/console/nothing").want(http.StatusNotFound).has(`id="request-id"`)
	d.as(t, "viewer").get("/console/nothing").want(http.StatusNotFound)
}

func TestSetUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	token, err := d.accounts.BootstrapAdmin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b, link := d.browser(t), console.SetUpPath+token
	b.get(console.SetUpPath + "x").want(http.StatusGone).has("no longer works")
	b.get(link).want(200).has("admin")
	b.post(link, "password", goodPassword, "again", "another").want(http.StatusUnprocessableEntity).has("differ")
	b.post(link, "password", "12345678", "again", "12345678").want(http.StatusUnprocessableEntity).has("tries this one first")
	b.post(link, "password", goodPassword, "again", goodPassword).to("/console/welcome")
	shown := b.get("/console/welcome").want(200)
	plain := regexp.MustCompile(`mnd_\w+`).FindString(shown.Body)
	if !auth.IsGeneratedKey(plain) {
		t.Fatalf("no key is shown: %s", shown.main())
	}
	b.get("/console/welcome").want(200).lacks(plain)
	d.browser(t).get(link).want(http.StatusGone)
	d.browser(t).post(link, "password", goodPassword, "again", goodPassword).want(http.StatusGone)
	booked := b.post("/console/welcome/call").want(http.StatusSeeOther)
	id := strings.TrimPrefix(booked.Header.Get("Location"), "/console/calls/")
	if c, err := d.store.FindCall(t.Context(), account.Default, id); err != nil || c.PhoneNumber != "+966500000000" {
		t.Errorf("booked %+v, %v", c, err)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	addOrganization(t, d, "bakery")
	d.user(t, account.Default, "amal", account.Owner)
	d.user(t, "bakery", "baker", account.Owner)
	b := d.as(t, "amal")
	b.get("/console/keys").want(200).has("No keys yet")
	b.post("/console/keys", "name", "shop", "scope", "root").want(http.StatusUnprocessableEntity).has("Choose one")
	b.post("/console/keys", "name", " ", "scope", "stt").want(http.StatusUnprocessableEntity)
	b.post("/console/keys", "name", "<b>shop</b>", "scope", "stt", "scope", "calls").to("/console/keys")
	shown := b.get("/console/keys").want(200).has("&lt;b&gt;shop").has("shown now")
	plain := regexp.MustCompile(`mnd_\w{40,}`).FindString(shown.Body)
	if !auth.IsGeneratedKey(plain) {
		t.Fatalf("no key is shown: %s", shown.main())
	}
	b.get("/console/keys").want(200).lacks(plain).has(plain[:12])
	all, err := d.store.ListKeys(t.Context(), account.Default)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	path := "/console/keys/" + all[0].ID + "/revoke"
	spy := d.as(t, "baker")
	spy.get(path).want(http.StatusNotFound)
	spy.post(path).want(http.StatusNotFound)
	b.get(path).want(200).has("Revoke the key?")
	b.post(path).to("/console/keys")
	b.get("/console/keys").want(200).has("Revoked")
	b.get("/console/audit").want(200).has("made a key").has("revoked a key").has("amal")
}

func TestUsers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	addOrganization(t, d, "bakery")
	own := d.user(t, "bakery", "baker", account.Owner)
	foreign := d.user(t, account.Default, "amal", account.Owner)
	b := d.as(t, "baker")
	b.post("/console/users", "name", "AMAL", "role", "viewer", "password", goodPassword).want(http.StatusUnprocessableEntity).has("in use")
	b.post("/console/users", "name", "a b", "role", "viewer", "password", goodPassword).want(http.StatusUnprocessableEntity)
	b.post("/console/users", "name", "omar", "role", "root", "password", goodPassword).want(http.StatusUnprocessableEntity)
	b.post("/console/users", "name", "omar", "role", "viewer", "password", "short").want(http.StatusUnprocessableEntity)
	b.post("/console/users", "name", "omar", "role", "viewer", "password", "").to("/console/users")
	made := regexp.MustCompile(`[a-z2-9]{5}(-[a-z2-9]{5}){3}`).FindString(b.get("/console/users").want(200).main())
	omar := d.browser(t)
	omar.post("/console/sign-in", "name", "omar", "password", made).to("/console")
	b.get("/console/users").want(200).lacks(made)
	omar.get("/console/account").want(200).has("three days")
	u, err := d.store.UserByName(t.Context(), "omar")
	if err != nil || u.OrgID != "bakery" {
		t.Fatalf("%+v, %v", u, err)
	}
	for _, act := range []string{"/role", "/state", "/password", "/delete"} {
		b.post("/console/users/"+foreign.ID+act, "role", "viewer", "state", "disabled").want(http.StatusNotFound)
	}
	b.post("/console/users/" + own.ID + "/delete").to("/console/users")
	b.get("/console/users").want(200).has("your own account").has("baker")
	b.post("/console/users/"+u.ID+"/role", "role", "operator").to("/console/users")
	b.post("/console/users/"+u.ID+"/state", "state", "disabled").to("/console/users")
	omar.get("/console/account").want(http.StatusSeeOther)
	b.post("/console/users/"+u.ID+"/state", "state", "active").to("/console/users")
	b.get("/console/users/" + u.ID + "/delete").want(200).has("omar")
	b.post("/console/users/" + u.ID + "/delete").to("/console/users")
	b.get("/console/users").want(200).lacks("omar")
}

// TestFirstPasswordEnds: a password that was made for somebody opens nothing after three days, and the page says so.
func TestFirstPasswordEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := auth.SuggestPassword()
	if _, err := d.accounts.CreateUser(t.Context(), account.Default, "omar", account.Viewer, first, "test"); err != nil {
		t.Fatal(err)
	}
	d.seconds.Store(int64(auth.SuggestedFor / time.Second))
	d.browser(t).post("/console/sign-in", "name", "omar", "password", first).want(http.StatusUnauthorized).has("has ended")
}

func TestOrganizations(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Owner)
	b := d.as(t, "amal")
	b.post("/console/organizations", "id", "Bad Id", "name", "x").want(http.StatusUnprocessableEntity)
	b.post("/console/organizations", "id", "bakery", "name", "مخبز").to("/console/organizations")
	b.post("/console/organizations", "id", "bakery", "name", "x").want(http.StatusUnprocessableEntity).has("in use")
	b.get("/console/organizations").want(200).has("مخبز")
	b.post("/console/organizations/bakery/look").to("/console")
	b.post("/console/keys", "name", "oven", "scope", "stt").to("/console/keys")
	if all, _ := d.store.ListKeys(t.Context(), "bakery"); len(all) != 1 {
		t.Errorf("keys of the one looked at: %v", all)
	}
	d.user(t, "bakery", "baker", account.Owner)
	spy := d.as(t, "baker")
	base, _ := url.Parse(d.URL)
	spy.Jar.SetCookies(base, []*http.Cookie{{Name: "munadi_org", Value: account.Default, Path: "/console"}})
	spy.get("/console/keys").want(200).has("oven")
	spy.get("/console/users").want(200).lacks("amal")
}

func TestAccount(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Viewer)
	d.user(t, account.Default, "zaid", account.Viewer)
	b, second, third := d.as(t, "amal"), d.as(t, "amal"), d.as(t, "amal")
	zaid := d.as(t, "zaid")
	id := regexp.MustCompile(`name="session" value="(\w+)"`).FindStringSubmatch(b.get("/console/account").Body)
	if id == nil {
		t.Fatal("no other session is listed")
	}
	zaid.post("/console/account/sessions/end", "session", id[1]).want(http.StatusNotFound)
	b.post("/console/account/sessions/end", "session", id[1]).to("/console/account")
	b.post("/console/account/sessions/end").to("/console/account")
	for _, ended := range []*browser{second, third} {
		ended.get("/console/account").want(http.StatusSeeOther)
	}
	b.post("/console/account/password", "current", "wrong", "new", "a new good one", "again", "a new good one").want(http.StatusUnprocessableEntity)
	b.post("/console/account/password", "current", goodPassword, "new", "a new good one", "again", "b").want(http.StatusUnprocessableEntity)
	fourth := d.as(t, "amal")
	b.post("/console/account/password", "current", goodPassword, "new", "a new good one", "again", "a new good one").to("/console/account")
	fourth.get("/console/account").want(http.StatusSeeOther)
	b.get("/console/account").want(200).has("password has changed")
	zaid.get("/console/account").want(200)
}

func TestAudit(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Owner)
	b := d.as(t, "amal")
	for i := range 120 {
		line := store.AuditEntry{At: d.now(), Actor: "key:k1", Action: "rules.put", Subject: fmt.Sprint("line", i)}
		if i == 3 {
			line.Subject = "=cmd|' /C calc'!A0"
		}
		if err := d.store.AddAudit(t.Context(), account.Default, line); err != nil {
			t.Fatal(err)
		}
	}
	seen, path := 0, "/console/audit"
	for range 5 {
		p := b.get(path).want(200)
		seen += strings.Count(p.main(), "<tr>") - 1
		next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(p.main())
		if next == nil {
			break
		}
		path = next[1]
	}
	if want := 122; seen != want { // user.create, user.sign_in
		t.Errorf("%d lines on all pages, want %d", seen, want)
	}
	found := b.get("/console/audit?q=line77").want(200).has("line77").lacks("line78")
	if n := strings.Count(found.main(), "<tr>") - 1; n != 1 {
		t.Errorf("%d lines found", n)
	}
	b.get("/console/audit?q=signed+in").want(200).has("amal")
	b.get("/console/audit?cursor=garbage").want(http.StatusUnprocessableEntity)
	file := b.get("/console/audit.csv?q=rules.put").want(200)
	if lines := strings.Count(file.Body, "\n"); lines != 121 || !strings.Contains(file.Body, ",'=cmd") {
		t.Errorf("%d lines of CSV", lines)
	}
}

// addOrganization adds one.
func addOrganization(t *testing.T, d *desk, id string) {
	t.Helper()
	if err := d.store.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: d.now()}, "test"); err != nil {
		t.Fatal(err)
	}
}
