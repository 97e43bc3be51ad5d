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
	"munadi/appliance/console/accounts"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/system"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/scenario"
)

const goodPassword = "correct horse battery"

// consoleServer is a console over a real store, with a clock that tests advance.
type consoleServer struct {
	*httptest.Server
	store    *badger.BadgerStore
	accounts *auth.AccountService
	seconds  atomic.Int64
	logouts  chan string // logout tokens of the identity provider, see startCompany
}

func (d *consoleServer) currentTime() time.Time {
	return time.Now().Add(time.Duration(d.seconds.Load()) * time.Second)
}

func startConsole(t *testing.T) *consoleServer {
	t.Helper()
	return startConsoleWith(t, func(*console.Dependencies) {})
}

// startConsoleWith starts a console with other parts.
func startConsoleWith(t *testing.T, edit func(*console.Dependencies)) *consoleServer {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d := &consoleServer{store: s}
	log, secret := slog.New(slog.DiscardHandler), auth.InstallationSecret{1}
	if _, err := auth.BootstrapOrganization(t.Context(), s, secret, "", d.currentTime()); err != nil {
		t.Fatal(err)
	}
	d.accounts = auth.NewAccounts(s, secret, d.currentTime, log)
	cases := &service.UseCases{
		Store: s, Keys: auth.NewKeyVerifier(s, secret, d.currentTime, log), Now: d.currentTime, RunTests: runTests,
		BuiltIn: func() []scenario.Scenario { return []scenario.Scenario{{ID: "appointment_confirmation"}} },
		CheckURL: func(_ context.Context, url string) error {
			if strings.Contains(url, "169.254") {
				return errors.New("leads to a link-local address")
			}
			return nil
		},
	}
	parts := console.Dependencies{Shared: kit.Shared{
		Signer: evidence.NewSigningKey([32]byte{1}),
		Store:  s, UseCases: cases, Gate: d.accounts, Accounts: d.accounts, Now: d.currentTime, Log: log,
		Assets: "/assets/0", Version: "1.2.3", Simulated: true, PublicURL: func() string { return d.URL },
	}, Parts: console.Parts{System: system.Parts{Models: newModelWorker(t, s)}}}
	edit(&parts)
	door := console.NewService(parts)
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler(
		middleware.ErrorFace{Root: kit.Root, Explain: door.ExplainError, Type: echo.MIMETextHTMLCharsetUTF8})
	e.Use(middleware.RequestID)
	door.MountRoutes(e)
	d.Server = httptest.NewServer(e)
	t.Cleanup(d.Close)
	return d
}

// addUser adds a user with a valid password.
func (d *consoleServer) addUser(t *testing.T, orgID, name string, role account.UserRole) account.User {
	t.Helper()
	u, err := d.accounts.CreateUser(t.Context(), orgID, name, role, goodPassword, "test")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// testBrowser is a client that keeps cookies, follows no redirect, and prefers English.
type testBrowser struct {
	*http.Client
	t    *testing.T
	base string
	csrf string // token of the last page that had one
}

func (d *consoleServer) newBrowser(t *testing.T) *testBrowser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := url.Parse(d.URL)
	jar.SetCookies(base, []*http.Cookie{{Name: "munadi_lang", Value: "en"}})
	return &testBrowser{t: t, base: d.URL, Client: &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signIn returns a signed-in browser.
func (d *consoleServer) signIn(t *testing.T, name string) *testBrowser {
	t.Helper()
	b := d.newBrowser(t)
	b.postForm("/console/sign-in", "name", name, "password", goodPassword).wantStatus(http.StatusSeeOther)
	b.getPage("/console/account").wantStatus(http.StatusOK)
	return b
}

// fetchedPage is an HTTP response.
type fetchedPage struct {
	t      *testing.T
	Status int
	Header http.Header
	Body   string
	path   string
}

func (p fetchedPage) wantStatus(status int) fetchedPage {
	p.t.Helper()
	if p.Status != status {
		p.t.Fatalf("%s: status %d, want %d: %.300s", p.path, p.Status, status, p.mainText())
	}
	return p
}

// wantRedirect expects a redirect to a path.
func (p fetchedPage) wantRedirect(path string) fetchedPage {
	p.t.Helper()
	if p.wantStatus(http.StatusSeeOther); p.Header.Get("Location") != path {
		p.t.Fatalf("%s: redirects to %s, want %s", p.path, p.Header.Get("Location"), path)
	}
	return p
}

// mainText returns the text of the page's main element.
func (p fetchedPage) mainText() string {
	_, main, _ := strings.Cut(p.Body, "<main")
	return main
}

func (p fetchedPage) wantText(text string) fetchedPage {
	p.t.Helper()
	if !strings.Contains(p.mainText(), text) {
		p.t.Errorf("%s lacks %q: %.600s", p.path, text, p.mainText())
	}
	return p
}

func (p fetchedPage) wantNoText(text string) fetchedPage {
	p.t.Helper()
	if strings.Contains(p.mainText(), text) {
		p.t.Errorf("%s has %q", p.path, text)
	}
	return p
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (b *testBrowser) sendRequest(r *http.Request) fetchedPage {
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
	return fetchedPage{b.t, res.StatusCode, res.Header, string(body), r.Method + " " + r.URL.Path}
}

func (b *testBrowser) getPage(path string) fetchedPage {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.sendRequest(r)
}

// postForm submits a form of names and values with the CSRF token of the last page.
func (b *testBrowser) postForm(path string, fields ...string) fetchedPage {
	b.t.Helper()
	return b.sendRequest(b.newFormRequest(path, b.csrf, fields...))
}

func (b *testBrowser) newFormRequest(path, csrf string, fields ...string) *http.Request {
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

func (b *testBrowser) sessionCookie() string {
	base, _ := url.Parse(b.base)
	for _, c := range b.Jar.Cookies(base) {
		if c.Name == "munadi_session" {
			return c.Value
		}
	}
	return ""
}

// TestSignInSpeaksTheLanguageThatWasAskedFor checks that a link to an Arabic page leads to an Arabic sign-in page in a
// browser whose saved language is English.
func TestSignInSpeaksTheLanguageThatWasAskedFor(t *testing.T) {
	t.Parallel()
	b := startConsole(t).newBrowser(t)
	b.getPage("/console/calls?lang=ar").wantRedirect("/console/sign-in?next=%2Fconsole%2Fcalls%3Flang%3Dar")
	b.getPage("/console/sign-in").wantStatus(200).wantText("تسجيل الدخول")
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	b := d.newBrowser(t)
	b.getPage("/console/account").wantRedirect("/console/sign-in?next=%2Fconsole%2Faccount")
	b.getPage("/console/sign-in?next=%2Fconsole%2Faccount").wantStatus(200).wantText(`value="/console/account"`)
	wrong := b.postForm("/console/sign-in", "name", "amal", "password", "wrong").wantStatus(http.StatusUnauthorized).wantText("is wrong")
	if wrong.Header.Get("Set-Cookie") != "" && b.sessionCookie() != "" {
		t.Error("a refused sign-in sets a session")
	}
	in := b.postForm("/console/sign-in", "name", "AMAL", "password", goodPassword, "next", "/console/account").wantRedirect("/console/account")
	for _, part := range []string{"HttpOnly", "SameSite=Lax", "Path=/;"} {
		if !strings.Contains(in.Header.Get("Set-Cookie")+";", part) {
			t.Errorf("the cookie %q lacks %s", in.Header.Get("Set-Cookie"), part)
		}
	}
	p := b.getPage("/console/account").wantStatus(200).wantText("amal")
	if p.Header.Get("Cache-Control") != "no-store" || !strings.Contains(p.Header.Get("Content-Security-Policy"), "default-src 'self'") {
		t.Errorf("headers %v", p.Header)
	}
	b.getPage("/console/sign-in").wantRedirect("/console")
	old := b.sessionCookie()
	out := b.postForm("/console/sign-out").wantRedirect("/console/sign-in")
	if b.sessionCookie() != "" || out.Header.Get("Clear-Site-Data") != `"storage"` {
		t.Error("the cookie stays, or what scripts kept")
	}
	b.getPage("/console/sign-in").wantStatus(200).wantText("signed out")
	base, _ := url.Parse(d.URL)
	b.Jar.SetCookies(base, []*http.Cookie{{Name: "munadi_session", Value: old}})
	b.getPage("/console/account").wantStatus(http.StatusSeeOther)
}

// TestSignInRedirectsOnlyWithinTheSite checks that the sign-in redirects to no other site (open redirect).
func TestSignInRedirectsOnlyWithinTheSite(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
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
		got := d.newBrowser(t).postForm("/console/sign-in", "name", "amal", "password", goodPassword, "next", next)
		if got.Status != http.StatusSeeOther || got.Header.Get("Location") != want {
			t.Errorf("next=%q leads to %d %q, want %q", next, got.Status, got.Header.Get("Location"), want)
		}
	}
}

// TestSessionFixation checks that a session token from before the sign-in is not valid after it (session fixation).
func TestSessionFixation(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	b := d.signIn(t, "amal")
	planted := b.sessionCookie()
	b.postForm("/console/sign-in", "name", "amal", "password", goodPassword).wantStatus(http.StatusSeeOther)
	if b.sessionCookie() == planted || b.sessionCookie() == "" {
		t.Fatal("the token is the same after another sign-in")
	}
	if _, _, err := d.accounts.LookUpSession(t.Context(), planted); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("the token from before: %v", err)
	}
}

func TestLockedOut(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	b := d.newBrowser(t)
	for range 5 {
		b.postForm("/console/sign-in", "name", "amal", "password", "wrong").wantStatus(http.StatusUnauthorized)
	}
	p := b.postForm("/console/sign-in", "name", "amal", "password", goodPassword).wantStatus(http.StatusTooManyRequests)
	if p.wantText("Try again"); p.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.seconds.Add(31)
	b.postForm("/console/sign-in", "name", "amal", "password", goodPassword).wantRedirect("/console")
	trail, err := d.store.AuditTrail(t.Context(), account.Default, 50, "")
	if refused := fmt.Sprint(trail.Items); err != nil || !strings.Contains(refused, "user.sign_in_refused amal") {
		t.Errorf("the audit trail tells nothing of it: %v %v", trail.Items, err)
	}
}

// TestKnownBrowserSignsInDuringAttack checks that during a lockout by wrong guesses a known browser can sign in, and a
// signed-in user can change the password.
func TestKnownBrowserSignsInDuringAttack(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	known, attacker := d.signIn(t, "amal"), d.newBrowser(t)
	known.postForm("/console/sign-out").wantRedirect("/console/sign-in")
	signedIn := d.signIn(t, "amal")
	for range 6 {
		attacker.postForm("/console/sign-in", "name", "amal", "password", "wrong")
	}
	attacker.postForm("/console/sign-in", "name", "amal", "password", goodPassword).wantStatus(http.StatusTooManyRequests)
	known.postForm("/console/sign-in", "name", "amal", "password", goodPassword).wantRedirect("/console")
	const next = "another horse battery"
	signedIn.postForm("/console/account/password", "current", goodPassword, "new", next, "again", next).
		wantRedirect("/console/account")
}

func TestForgedForms(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	d.addUser(t, account.Default, "zaid", account.Owner)
	b, other := d.signIn(t, "amal"), d.signIn(t, "zaid")
	for _, csrf := range []string{"", other.csrf, b.csrf[:10]} {
		b.sendRequest(b.newFormRequest("/console/keys", csrf, "name", "x", "scopes", "stt")).wantStatus(http.StatusForbidden).wantText("nothing was sent yet")
	}
	r := b.newFormRequest("/console/keys", b.csrf, "name", "x", "scopes", "stt")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	b.sendRequest(r).wantStatus(http.StatusForbidden)
	r = b.newFormRequest("/console/keys", b.csrf, "name", "x", "scopes", "stt")
	r.Header.Set("Origin", "https://evil.example")
	b.sendRequest(r).wantStatus(http.StatusForbidden)
	r = b.newFormRequest("/console/sign-in", "", "name", "amal", "password", goodPassword)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	b.sendRequest(r).wantStatus(http.StatusForbidden)
	if all, _ := d.store.ListKeys(t.Context(), account.Default); len(all) != 0 {
		t.Errorf("a forged form made %v", all)
	}
	r = b.newFormRequest("/console/keys", "", "name", "by header", "scopes", "stt")
	r.Header.Set("X-CSRF-Token", b.csrf)
	b.sendRequest(r).wantRedirect("/console/keys")
	d.newBrowser(t).postForm("/console/keys", "name", "x").wantStatus(http.StatusUnauthorized).wantText("You are signed out")
}

func TestRoles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("asks every page and action of every role")
	}
	d := startConsole(t)
	addOrganization(t, d, "bakery")
	d.addUser(t, "bakery", "viewer", account.Viewer)
	d.addUser(t, "bakery", "operator", account.Operator)
	d.addUser(t, "bakery", "owner", account.Owner)
	for path, needed := range map[string]account.UserRole{
		"/console/account": account.Viewer, "/console/keys": account.Owner, "/console/users": account.Owner, "/console/audit": account.Owner,
		"/console/audit.csv": account.Owner, "/console/webhook": account.Owner,
	} {
		for _, role := range account.AllRoles() {
			want := http.StatusForbidden
			if role.Allows(needed) {
				want = http.StatusOK
			}
			if got := d.signIn(t, string(role)).getPage(path); got.Status != want {
				t.Errorf("%s for a %s: %d", path, role, got.Status)
			}
		}
	}
	b := d.signIn(t, "owner")
	b.getPage("/console/organizations").wantStatus(http.StatusNotFound)
	b.postForm("/console/organizations", "id", "x", "name", "x").wantStatus(http.StatusNotFound)
	b.getPage("/console/nothing").wantStatus(http.StatusNotFound).wantText(`id="request-id"`)
	d.signIn(t, "viewer").getPage("/console/nothing").wantStatus(http.StatusNotFound)
}

func TestSetUp(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	token, err := d.accounts.BootstrapAdmin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b, link := d.newBrowser(t), accounts.SetUpPath+token
	b.getPage("/console/sign-in").wantStatus(200).wantText("not set up yet")
	b.getPage(accounts.SetUpPath + "x").wantStatus(http.StatusGone).wantText("no longer works")
	b.getPage(link).wantStatus(200).wantText("admin")
	b.postForm(link, "password", goodPassword, "again", "another").wantStatus(http.StatusUnprocessableEntity).wantText("differ")
	b.postForm(link, "password", "12345678", "again", "12345678").wantStatus(http.StatusUnprocessableEntity).wantText("easy to guess")
	b.postForm(link, "password", goodPassword, "again", goodPassword).wantRedirect("/console/welcome")
	shown := b.getPage("/console/welcome").wantStatus(200)
	plain := regexp.MustCompile(`mnd_\w+`).FindString(shown.Body)
	if !auth.IsGeneratedKey(plain) {
		t.Fatalf("no key is shown: %s", shown.mainText())
	}
	b.getPage("/console/welcome").wantStatus(200).wantNoText(plain)
	d.newBrowser(t).getPage("/console/sign-in").wantStatus(200).wantNoText("not set up yet")
	d.newBrowser(t).getPage(link).wantStatus(http.StatusGone)
	d.newBrowser(t).postForm(link, "password", goodPassword, "again", goodPassword).wantStatus(http.StatusGone)
	booked := b.postForm("/console/welcome/call").wantStatus(http.StatusSeeOther)
	id := strings.TrimPrefix(booked.Header.Get("Location"), "/console/calls/")
	if c, err := d.store.FindCall(t.Context(), account.Default, id); err != nil || c.PhoneNumber != "+966500000000" {
		t.Errorf("booked %+v, %v", c, err)
	}
}

// TestTemporaryPasswordIsChanged checks that a user with a password that somebody else made reaches the own account
// alone until it is changed.
func TestTemporaryPasswordIsChanged(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	first := auth.SuggestPassword()
	if _, err := d.accounts.CreateUser(t.Context(), account.Default, "omar", account.Operator, first, "test"); err != nil {
		t.Fatal(err)
	}
	b := d.newBrowser(t)
	b.postForm("/console/sign-in", "name", "omar", "password", first).wantStatus(http.StatusSeeOther)
	for _, path := range []string{"/console", "/console/calls", "/console/nothing"} {
		b.getPage(path).wantRedirect("/console/account")
	}
	b.getPage("/console/account").wantStatus(200).wantText("temporary")
	b.postForm("/console/rules/stop").wantStatus(http.StatusForbidden)
	b.postForm("/console/account/password", "current", first, "new", goodPassword, "again", goodPassword).wantRedirect("/console/account")
	b.getPage("/console/account").wantStatus(200).wantNoText("temporary")
	b.getPage("/console/calls").wantStatus(200)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	addOrganization(t, d, "bakery")
	d.addUser(t, account.Default, "amal", account.Owner)
	d.addUser(t, "bakery", "baker", account.Owner)
	b := d.signIn(t, "amal")
	b.getPage("/console/keys").wantStatus(200).wantText("No keys yet")
	b.postForm("/console/keys", "name", "shop", "scopes", "root").wantStatus(http.StatusUnprocessableEntity).wantText("Choose at least one")
	b.postForm("/console/keys", "name", " ", "scopes", "stt").wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/keys", "name", "<b>shop</b>", "scopes", "stt", "scopes", "calls").wantRedirect("/console/keys")
	shown := b.getPage("/console/keys").wantStatus(200).wantText("&lt;b&gt;shop").wantText("shown now")
	plain := regexp.MustCompile(`mnd_\w{40,}`).FindString(shown.Body)
	if !auth.IsGeneratedKey(plain) {
		t.Fatalf("no key is shown: %s", shown.mainText())
	}
	b.getPage("/console/keys").wantStatus(200).wantNoText(plain).wantText(plain[:12])
	all, err := d.store.ListKeys(t.Context(), account.Default)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	path := "/console/keys/" + all[0].ID + "/revoke"
	spy := d.signIn(t, "baker")
	spy.getPage(path).wantStatus(http.StatusNotFound)
	spy.postForm(path).wantStatus(http.StatusNotFound)
	b.getPage(path).wantStatus(200).wantText("Revoke the key?")
	b.postForm(path).wantRedirect("/console/keys")
	b.getPage("/console/keys").wantStatus(200).wantText("Revoked")
	b.getPage("/console/audit").wantStatus(200).wantText("made a key").wantText("revoked a key").wantText("amal")
}

func TestUsers(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	addOrganization(t, d, "bakery")
	own := d.addUser(t, "bakery", "baker", account.Owner)
	foreign := d.addUser(t, account.Default, "amal", account.Owner)
	b := d.signIn(t, "baker")
	b.postForm("/console/users", "name", "AMAL", "role", "viewer", "password", goodPassword).wantStatus(http.StatusUnprocessableEntity).wantText("in use")
	b.postForm("/console/users", "name", "a b", "role", "viewer", "password", goodPassword).wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/users", "name", "omar", "role", "root", "password", goodPassword).wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/users", "name", "omar", "role", "viewer", "password", "short").wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/users", "name", "omar", "role", "viewer", "password", "").wantRedirect("/console/users")
	made := regexp.MustCompile(`[a-z2-9]{5}(-[a-z2-9]{5}){3}`).FindString(b.getPage("/console/users").wantStatus(200).mainText())
	omar := d.newBrowser(t)
	omar.postForm("/console/sign-in", "name", "omar", "password", made).wantRedirect("/console")
	b.getPage("/console/users").wantStatus(200).wantNoText(made)
	omar.getPage("/console/account").wantStatus(200).wantText("three days")
	b.postForm("/console/users", "name", "typed", "role", "viewer", "password", goodPassword).wantRedirect("/console/users")
	typed := d.newBrowser(t)
	typed.postForm("/console/sign-in", "name", "typed", "password", goodPassword).wantRedirect("/console")
	typed.getPage("/console/calls").wantRedirect("/console/account")
	typed.getPage("/console/account").wantStatus(200).wantText("three days")
	u, err := d.store.UserByName(t.Context(), "omar")
	if err != nil || u.OrgID != "bakery" {
		t.Fatalf("%+v, %v", u, err)
	}
	for _, act := range []string{"/role", "/state", "/password", "/delete"} {
		b.postForm("/console/users/"+foreign.ID+act, "role", "viewer", "state", "disabled").wantStatus(http.StatusNotFound)
	}
	b.postForm("/console/users/" + own.ID + "/delete").wantRedirect("/console/users")
	b.getPage("/console/users").wantStatus(200).wantText("your own account").wantText("baker")
	b.postForm("/console/users/"+u.ID+"/role", "role", "operator").wantRedirect("/console/users")
	b.postForm("/console/users/"+u.ID+"/state", "state", "disabled").wantRedirect("/console/users")
	omar.getPage("/console/account").wantStatus(http.StatusSeeOther)
	b.postForm("/console/users/"+u.ID+"/state", "state", "active").wantRedirect("/console/users")
	b.getPage("/console/users/" + u.ID + "/delete").wantStatus(200).wantText("omar")
	b.postForm("/console/users/" + u.ID + "/delete").wantRedirect("/console/users")
	b.getPage("/console/users").wantStatus(200).wantNoText("omar")
}

// TestFirstPasswordEnds checks that a temporary password is refused after three days, with the reason.
func TestFirstPasswordEnds(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	first := auth.SuggestPassword()
	if _, err := d.accounts.CreateUser(t.Context(), account.Default, "omar", account.Viewer, first, "test"); err != nil {
		t.Fatal(err)
	}
	d.seconds.Store(int64(auth.SuggestedFor / time.Second))
	d.newBrowser(t).postForm("/console/sign-in", "name", "omar", "password", first).wantStatus(http.StatusUnauthorized).wantText("has expired")
}

func TestOrganizations(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	b := d.signIn(t, "amal")
	b.postForm("/console/organizations", "id", "Bad Id", "name", "x").wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/organizations", "id", "bakery", "name", "مخبز").wantRedirect("/console/organizations")
	b.postForm("/console/organizations", "id", "bakery", "name", "x").wantStatus(http.StatusUnprocessableEntity).wantText("in use")
	b.postForm("/console/organizations", "id", "dairy", "name", strings.Repeat("ل", 201)).
		wantStatus(http.StatusUnprocessableEntity).wantText("at most 200 characters")
	b.postForm("/console/organizations", "id", "dairy", "name", strings.Repeat("ل", 200)).wantRedirect("/console/organizations")
	b.getPage("/console/organizations").wantStatus(200).wantText("مخبز")
	b.postForm("/console/organizations/bakery/look").wantRedirect("/console")
	b.postForm("/console/keys", "name", "till", "scopes", "stt").wantStatus(http.StatusForbidden).wantText("for another organization")
	b.getPage("/console/keys").wantStatus(200)
	b.postForm("/console/keys", "name", "oven", "scopes", "stt").wantRedirect("/console/keys")
	if all, _ := d.store.ListKeys(t.Context(), "bakery"); len(all) != 1 {
		t.Errorf("keys of the one looked at: %v", all)
	}
	d.addUser(t, "bakery", "baker", account.Owner)
	spy := d.signIn(t, "baker")
	base, _ := url.Parse(d.URL)
	spy.Jar.SetCookies(base, []*http.Cookie{{Name: "munadi_org", Value: account.Default, Path: "/console"}})
	spy.getPage("/console/keys").wantStatus(200).wantText("oven")
	spy.getPage("/console/users").wantStatus(200).wantNoText("amal")
}

func TestAccount(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Viewer)
	d.addUser(t, account.Default, "zaid", account.Viewer)
	b, second, third := d.signIn(t, "amal"), d.signIn(t, "amal"), d.signIn(t, "amal")
	zaid := d.signIn(t, "zaid")
	const again = "/console/account/confirm?next=%2Fconsole%2Faccount"
	b.getPage("/console/account").wantText(again).wantNoText(`name="session"`)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	second.getPage("/console/account").wantStatus(http.StatusOK)
	b.getPage(again).wantStatus(http.StatusOK).wantText("five minutes")
	b.postForm("/console/account/confirm", "current", "wrong", "next", "/console/account").wantStatus(http.StatusUnprocessableEntity).wantText(`value="/console/account"`)
	b.postForm("/console/account/confirm", "current", goodPassword, "next", "https://evil.example/").wantRedirect("/console")
	d.seconds.Add(300)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	for _, user := range []*testBrowser{b, zaid} {
		user.getPage("/console/account")
		user.postForm("/console/account/confirm", "current", goodPassword, "next", "/console/account").wantRedirect("/console/account")
	}
	id := regexp.MustCompile(`name="session" value="(\w+)"`).FindStringSubmatch(b.getPage("/console/account").Body)
	if id == nil {
		t.Fatal("no other session is listed")
	}
	zaid.postForm("/console/account/sessions/end", "session", id[1]).wantStatus(http.StatusNotFound)
	b.postForm("/console/account/sessions/end", "session", id[1]).wantRedirect("/console/account")
	b.postForm("/console/account/sessions/end").wantRedirect("/console/account")
	for _, ended := range []*testBrowser{second, third} {
		ended.getPage("/console/account").wantStatus(http.StatusSeeOther)
	}
	b.postForm("/console/account/password", "current", "wrong", "new", "a new good one", "again", "a new good one").wantStatus(http.StatusUnprocessableEntity)
	b.postForm("/console/account/password", "current", goodPassword, "new", "a new good one", "again", "b").wantStatus(http.StatusUnprocessableEntity)
	fourth := d.signIn(t, "amal")
	b.postForm("/console/account/password", "current", goodPassword, "new", "a new good one", "again", "a new good one").wantRedirect("/console/account")
	fourth.getPage("/console/account").wantStatus(http.StatusSeeOther)
	b.getPage("/console/account").wantStatus(200).wantText("password has changed")
	zaid.getPage("/console/account").wantStatus(200)
}

func TestAudit(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	b := d.signIn(t, "amal")
	for i := range 120 {
		line := store.AuditEntry{At: d.currentTime(), Actor: "key:k1", Action: "rules.put", Subject: fmt.Sprint("line", i)}
		if i == 3 {
			line.Subject = "=cmd|' /C calc'!A0"
		}
		if err := d.store.AddAudit(t.Context(), account.Default, line); err != nil {
			t.Fatal(err)
		}
	}
	seen, path := 0, "/console/audit"
	for range 5 {
		p := b.getPage(path).wantStatus(200)
		seen += strings.Count(p.mainText(), "<tr>") - 1
		next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(p.mainText())
		if next == nil {
			break
		}
		path = next[1]
	}
	if want := 122; seen != want { // user.create, user.sign_in
		t.Errorf("%d lines on all pages, want %d", seen, want)
	}
	found := b.getPage("/console/audit?q=line77").wantStatus(200).wantText("line77").wantNoText("line78")
	if n := strings.Count(found.mainText(), "<tr>") - 1; n != 1 {
		t.Errorf("%d lines found", n)
	}
	b.getPage("/console/audit?q=signed+in").wantStatus(200).wantText("amal")
	b.getPage("/console/audit?cursor=garbage").wantStatus(http.StatusUnprocessableEntity)
	file := b.getPage("/console/audit.csv?q=rules.put").wantStatus(200)
	if lines := strings.Count(file.Body, "\n"); lines != 121 || !strings.Contains(file.Body, ",'=cmd") {
		t.Errorf("%d lines of CSV", lines)
	}
}

func addOrganization(t *testing.T, d *consoleServer, id string) {
	t.Helper()
	if err := d.store.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: d.currentTime()}, "test"); err != nil {
		t.Fatal(err)
	}
}
