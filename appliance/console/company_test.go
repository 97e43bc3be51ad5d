package console_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/oidc"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
)

// startCompany starts a console with a real identity provider (panva's oidc-provider), at which people have groups.
func startCompany(t *testing.T, groups string, edit func(*config.Config)) *consoleServer {
	t.Helper()
	return startCompanyAt(t, func(base string) string { return startProvider(t, base, groups) }, edit)
}

// startCompanyAt starts a console with an identity provider. start gets the base of the provider's addresses at the
// console and returns its issuer.
func startCompanyAt(t *testing.T, start func(base string) string, edit func(*config.Config)) *consoleServer {
	t.Helper()
	var provider *oidc.Provider
	logouts := make(chan string, 10)
	d := startConsoleWith(t, func(d *console.Dependencies) { d.Company = lateProvider{&provider, logouts} })
	d.logouts = logouts
	cfg := config.Default()
	cfg.OIDCIssuer = start(d.URL + "/console/sign-in/company")
	cfg.OIDCClientID, cfg.OIDCSecret, cfg.OIDCName = "munadi", "secret of the test", "Company <ID>"
	cfg.OIDCScopes, cfg.OIDCRoles = "openid,profile,groups", "admins=owner,staff=operator,clinic=viewer@clinic"
	if edit != nil {
		edit(cfg)
	}
	var err error
	callback := func() string { return d.URL + "/console/sign-in/company/callback" }
	provider, err = oidc.OpenProvider(cfg, [32]byte{9}, callback, d.currentTime, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	d.addUser(t, account.Default, "admin", account.Owner)
	return d
}

// lateProvider is a provider that is opened after the console, whose address it knows.
type lateProvider struct {
	of      **oidc.Provider
	logouts chan string // the logout tokens that were received
}

func (l lateProvider) Name() string  { return (*l.of).Name() }
func (l lateProvider) IsReady() bool { return (*l.of).IsReady() }

func (l lateProvider) BeginSignIn(ctx context.Context, to oidc.Return) (string, string, error) {
	return (*l.of).BeginSignIn(ctx, to)
}

func (l lateProvider) EndSignIn(ctx context.Context, cookie string, back url.Values) (auth.ExternalIdentity, oidc.Return, error) {
	return (*l.of).EndSignIn(ctx, cookie, back)
}

func (l lateProvider) VerifyLogout(ctx context.Context, raw string) (auth.ExternalLogout, error) {
	select {
	case l.logouts <- raw:
	default:
	}
	return (*l.of).VerifyLogout(ctx, raw)
}

// startProvider runs the identity provider until the test ends and returns its issuer.
func startProvider(t *testing.T, base, groups string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	packages, _ := filepath.Abs("../../.cache/node/node_modules")
	if _, gone := os.Stat(filepath.Join(packages, "oidc-provider/package.json")); err != nil || gone != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no node, or no oidc-provider in .cache/node: packaging/setup test")
		}
		t.Skip("no node, or no oidc-provider in .cache/node: packaging/setup test")
	}
	cmd := exec.CommandContext(t.Context(), node, "testdata/oidc_provider.mjs", packages, "munadi", "secret of the test",
		base+"/callback", base+"/logout", groups)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http://") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return lines.Text()
		}
	}
	t.Fatal("the identity provider did not start")
	return ""
}

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)
	formHidden = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)
	inputName  = regexp.MustCompile(`name="([^"]+)"`)
	inputValue = regexp.MustCompile(`value="([^"]*)"`)
)

// companyBrowser follows the pages of console and provider; it stops at the console's answer to the callback.
type companyBrowser struct {
	*testBrowser
	d *consoleServer
}

func (d *consoleServer) newCompanyBrowser(t *testing.T) companyBrowser {
	b := d.newBrowser(t)
	jar, _ := cookiejar.New(nil)
	here, _ := url.Parse(d.URL)
	jar.SetCookies(here, b.Jar.Cookies(here))
	b.Jar = jar
	return companyBrowser{b, d}
}

// request sends a request to an absolute address, a POST if it has a form.
func (b companyBrowser) request(address string, form url.Values) (fetchedPage, string) {
	b.t.Helper()
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, address, body)
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	p := b.sendRequest(r)
	to, err := r.URL.Parse(p.Header.Get("Location"))
	if err != nil {
		b.t.Fatal(err)
	}
	return p, to.String()
}

// authenticate signs in at the provider and returns the address to which it returns.
func (b companyBrowser) authenticate(login string) string {
	b.t.Helper()
	p, to := b.request(b.base+"/console/sign-in/company?next=%2Fconsole%2Fcalls", nil)
	p.wantStatus(http.StatusSeeOther)
	return b.followProvider(to, login)
}

// followProvider fills the provider's forms, the login if it is asked for, and returns the address to which it returns.
func (b companyBrowser) followProvider(to, login string) string {
	b.t.Helper()
	var p fetchedPage
	var form url.Values
	for range 20 {
		if strings.HasPrefix(to, b.base) {
			return to
		}
		at := to
		p, to = b.request(at, form)
		form = nil
		if p.Header.Get("Location") != "" {
			continue
		}
		if p.Status != http.StatusOK {
			b.t.Fatalf("%s: %d %.500s", at, p.Status, p.Body)
		}
		action := formAction.FindStringSubmatch(p.Body)
		if action == nil {
			b.t.Fatalf("no form in %.500s", p.Body)
		}
		form = url.Values{}
		for _, field := range formHidden.FindAllString(p.Body, -1) {
			value := ""
			if found := inputValue.FindStringSubmatch(field); found != nil {
				value = found[1]
			}
			form.Set(inputName.FindStringSubmatch(field)[1], value)
		}
		for _, name := range []string{"login", "username"} {
			if strings.Contains(p.Body, `name="`+name+`"`) {
				form.Set(name, login)
				form.Set("password", "any")
			}
		}
		where, _ := url.Parse(at)
		next, _ := where.Parse(html.UnescapeString(action[1]))
		to = next.String()
	}
	b.t.Fatal("the provider never returns")
	return ""
}

// enter signs in at the provider and returns to the console.
func (b companyBrowser) enter(login string) fetchedPage {
	b.t.Helper()
	p, _ := b.request(b.authenticate(login), nil)
	return p
}

// TestCompanySignIn: people sign in with a real identity provider, get account and role from its claim, lose the role
// with it, and its sign-out ends their sessions and no others.
func TestCompanySignIn(t *testing.T) {
	t.Parallel()
	d := startCompany(t, `{"amal":["staff"],"boss":["x","admins","staff"],"nobody":["x"],"admin":["staff"],"desk":["staff"],"zaid":["clinic"]}`, nil)
	b := d.newCompanyBrowser(t)
	b.getPage("/console/sign-in").wantText("Company &lt;ID&gt;").wantText("/console/sign-in/company?next=")
	b.enter("amal").wantRedirect("/console/calls")
	b.getPage("/console/account").wantStatus(http.StatusOK).wantText("amal").wantNoText(`name="current"`).
		wantText("With your company")
	if u, err := d.store.UserByName(t.Context(), "amal"); err != nil || u.Role != account.Operator || u.Password != "" || u.External.Subject != "amal" {
		t.Errorf("the account is %+v, %v", u, err)
	}
	boss := d.newCompanyBrowser(t)
	boss.enter("boss").wantRedirect("/console/calls")
	boss.getPage("/console/users").wantStatus(http.StatusOK).wantText("amal").wantText("at the company")
	refused := d.newCompanyBrowser(t).enter("nobody").wantStatus(http.StatusForbidden).wantText("no role")
	if !strings.Contains(refused.Body, `href="/console/sign-in?lang=ar`) || strings.Contains(refused.Body, "company/callback") {
		t.Error("the switches of language and theme repeat the return of the failed sign-in")
	}
	d.newCompanyBrowser(t).enter("zaid").wantStatus(http.StatusForbidden).wantText("no role")       // there is no organization clinic
	d.newCompanyBrowser(t).enter("admin").wantStatus(http.StatusForbidden).wantText("another user") // the local owner
	d.addUser(t, account.Default, "desk", account.Viewer)
	d.newCompanyBrowser(t).enter("desk").wantRedirect("/console/calls")
	if u, err := d.store.UserByName(t.Context(), "desk"); err != nil || u.Role != account.Operator || u.External == nil {
		t.Errorf("the local account became %+v, %v", u, err)
	}
	trail, err := d.store.AuditTrail(t.Context(), account.Default, 50, "")
	var said []string
	for _, e := range trail.Items {
		said = append(said, e.Actor+" "+e.Action+" "+e.Subject)
	}
	if all := strings.Join(said, ","); err != nil || !strings.Contains(all, "identity provider user.create amal") || !strings.Contains(all, "identity provider user.role desk") {
		t.Errorf("the trail says %q, %v", all, err)
	}
	other := d.newCompanyBrowser(t) // another session at the provider
	other.enter("amal").wantRedirect("/console/calls")
	b.signOutAtProvider()
	b.getPage("/console/account").wantStatus(http.StatusSeeOther)
	boss.getPage("/console/account").wantStatus(http.StatusOK)
	other.getPage("/console/account").wantStatus(http.StatusOK)
	b.enter("amal").wantRedirect("/console/calls")
	replayed, _ := b.request(d.URL+"/console/sign-in/company/logout", url.Values{"logout_token": {<-d.logouts}})
	replayed.wantStatus(http.StatusBadRequest)
	b.getPage("/console/account").wantStatus(http.StatusOK)
}

// signOutAtProvider signs out on the provider's own page, which tells the console.
func (b companyBrowser) signOutAtProvider() {
	b.t.Helper()
	u, err := b.d.store.UserByName(b.t.Context(), "amal")
	if err != nil {
		b.t.Fatal(err)
	}
	p, _ := b.request(u.External.Issuer+"/session/end", nil)
	field := regexp.MustCompile(`name="xsrf" value="([^"]+)"`).FindStringSubmatch(p.Body)
	if field == nil {
		b.t.Fatalf("no form: %d %.500s", p.Status, p.Body)
	}
	done, _ := b.request(u.External.Issuer+"/session/end/confirm", url.Values{"xsrf": {field[1]}, "logout": {"yes"}})
	if done.Status >= 400 {
		b.t.Fatalf("sign-out: %d %.500s", done.Status, done.Body)
	}
}

// TestCompanySignInAttacks: a return works once, in the browser that began it and in time; changed states, foreign
// issuers, other codes and forged logout tokens are refused; it leads only into the console.
func TestCompanySignInAttacks(t *testing.T) {
	t.Parallel()
	d := startCompany(t, `{"amal":["staff"]}`, nil)
	b := d.newCompanyBrowser(t)
	back := b.authenticate("amal")
	stranger, _ := d.newCompanyBrowser(t).request(back, nil)
	stranger.wantStatus(http.StatusBadRequest).wantText("not begun in this browser")
	back = b.authenticate("amal")
	changed, _ := b.request(strings.Replace(back, "state=", "state=x", 1), nil)
	changed.wantStatus(http.StatusBadRequest)
	again, _ := b.request(back, nil)
	again.wantStatus(http.StatusBadRequest) // the flow was over
	back = b.authenticate("amal")
	mixed, _ := b.request(regexp.MustCompile(`iss=[^&]+`).ReplaceAllString(back, "iss=https%3A%2F%2Fevil.example"), nil)
	mixed.wantStatus(http.StatusBadRequest)
	back = b.authenticate("amal")
	code := regexp.MustCompile(`code=[^&]+`)
	forged, _ := b.request(code.ReplaceAllString(back, "code=forged"), nil)
	forged.wantStatus(http.StatusUnauthorized)
	back = b.authenticate("amal")
	d.seconds.Add(601)
	late, _ := b.request(back, nil)
	late.wantStatus(http.StatusBadRequest)
	d.seconds.Add(-601)
	refused, _ := b.request(d.URL+"/console/sign-in/company/callback?error=access_denied&state=x", nil)
	refused.wantStatus(http.StatusBadRequest)
	if b.sessionCookie() != "" {
		t.Error("a refused sign-in sets a session")
	}
	p, _ := b.request(b.base+"/console/sign-in/company?next=https%3A%2F%2Fevil.example", nil)
	p.wantStatus(http.StatusSeeOther)
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(
		`{"iss":"x","sub":"amal","aud":"munadi","events":{"http://schemas.openid.net/event/backchannel-logout":{}}}`)) + "."
	for _, token := range []string{"", "x", "a.b.c", none} {
		p, _ := b.request(d.URL+"/console/sign-in/company/logout", url.Values{"logout_token": {token}})
		var said struct{ Error string }
		if err := json.Unmarshal([]byte(p.Body), &said); p.Status != http.StatusBadRequest || err != nil || said.Error != "invalid_request" {
			t.Errorf("token %q: %d %s", token, p.Status, p.Body)
		}
	}
}

// TestCompanyAway: without the provider the sign-in page says so and passwords work; without the setting there is no
// such page.
func TestCompanyAway(t *testing.T) {
	t.Parallel()
	d := startConsoleWith(t, func(d *console.Dependencies) {
		cfg := config.Default()
		cfg.OIDCIssuer, cfg.OIDCClientID = "http://127.0.0.1:1", "munadi"
		p, err := oidc.OpenProvider(cfg, [32]byte{9}, func() string { return "" }, time.Now, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		d.Company = p
	})
	d.accounts.RestrictPasswords()
	d.addUser(t, account.Default, "amal", account.Owner)
	d.addUser(t, account.Default, "badr", account.Operator)
	b := d.newBrowser(t)
	b.getPage("/console/sign-in").wantStatus(http.StatusOK).wantText("does not answer")
	b.getPage("/console/sign-in/company").wantStatus(http.StatusServiceUnavailable).wantText("does not answer")
	b.postForm("/console/sign-in", "name", "badr", "password", goodPassword).wantStatus(http.StatusForbidden).wantText("Only owners")
	b.postForm("/console/sign-in", "name", "badr", "password", "wrong").wantStatus(http.StatusUnauthorized)
	d.signIn(t, "amal")
	if _, err := d.store.UserByName(t.Context(), "nobody"); store.CodeOf(err) != store.CodeNotFound {
		t.Error(err)
	}
	startConsole(t).newBrowser(t).getPage("/console/sign-in/company").wantStatus(http.StatusNotFound)
}

// confirm authenticates again at the provider as login, after edit has changed the request, and returns the console's
// answer.
func (b companyBrowser) confirm(login string, edit func(url.Values)) fetchedPage {
	b.t.Helper()
	p, to := b.request(b.base+"/console/account/confirm/company?next=%2Fconsole%2Faccount", nil)
	p.wantStatus(http.StatusSeeOther)
	sent, _ := url.Parse(to)
	query := sent.Query()
	if query.Get("prompt") != "login" || query.Get("max_age") != "0" {
		b.t.Fatalf("the provider is asked %v", query)
	}
	if edit != nil {
		edit(query)
		sent.RawQuery = query.Encode()
	}
	back, _ := b.request(b.followProvider(sent.String(), login), nil)
	return back
}

// TestCompanyConfirmation: a person without a password authenticates again at the provider, before a person's erasure
// and before sessions end; the provider's old session, another person and another session of the console do not do.
func TestCompanyConfirmation(t *testing.T) {
	t.Parallel()
	d := startCompany(t, `{"amal":["staff"],"badr":["staff"]}`, nil)
	made := call.Call{
		ID: call.NewID(), OrgID: account.Default, PhoneNumber: anyNumber, ScenarioID: "visit", Status: call.Scheduled,
		Booking: call.Booked, CreatedAt: d.currentTime().UTC(), ScheduledAt: d.currentTime().Add(time.Hour).UTC(),
		Attempt: call.AttemptChain{Number: 1, Max: 1, Plan: call.RetryPlan{MaxAttempts: 1}},
	}
	made.Attempt.ChainID = made.ID
	if _, err := d.store.BookCall(t.Context(), made, "test", nil); err != nil {
		t.Fatal(err)
	}
	b := d.newCompanyBrowser(t)
	b.enter("amal").wantRedirect("/console/calls")
	erase := "/console/calls/" + made.ID + "/erase"
	const again = "/console/account/confirm?next=%2Fconsole%2Faccount"
	b.getPage("/console/account").wantStatus(http.StatusOK)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	b.getPage(erase).wantStatus(http.StatusOK).wantText("/console/account/confirm?next=").wantNoText(`name="current"`).wantNoText(`class="button primary danger"`)
	b.postForm(erase).wantStatus(http.StatusUnprocessableEntity)
	b.getPage(again).wantStatus(http.StatusOK).wantText("/console/account/confirm/company?next=").wantNoText(`name="current"`)
	b.postForm("/console/account/confirm").wantStatus(http.StatusUnprocessableEntity)
	// The browser leaves out what makes the provider ask: its session of an hour ago would do.
	b.confirm("amal", func(q url.Values) { q.Del("prompt"); q.Del("max_age") }).wantRedirect(again)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	other := d.newCompanyBrowser(t)
	other.enter("badr").wantRedirect("/console/calls")
	_, to := other.request(other.base+"/console/account/confirm/company?next=%2Fconsole", nil)
	stolen := other.followProvider(to, "badr")
	mixed := d.newCompanyBrowser(t) // badr's flow beside amal's session
	here, _ := url.Parse(d.URL)
	mixed.Jar.SetCookies(here, []*http.Cookie{
		{Name: "munadi_company", Value: other.cookieValue("munadi_company")}, {Name: "munadi_session", Value: b.sessionCookie()},
	})
	p, _ := mixed.request(stolen, nil)
	p.wantStatus(http.StatusBadRequest)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	b.confirm("badr", nil).wantStatus(http.StatusBadRequest) // the provider ended amal's session then, and so the console
	b.getPage("/console/account").wantStatus(http.StatusSeeOther)
	b = d.newCompanyBrowser(t)
	b.enter("amal").wantRedirect("/console/calls")
	b.getPage("/console/account").wantStatus(http.StatusOK)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	b.confirm("amal", nil).wantRedirect("/console/account")
	b.getPage(erase).wantStatus(http.StatusOK).wantText(`class="button primary danger"`)
	b.postForm(erase).wantRedirect("/console/calls/" + made.ID)
	d.seconds.Add(300)
	b.postForm("/console/account/sessions/end").wantRedirect(again)
	d.seconds.Add(-300)
	b.confirm("amal", nil).wantRedirect("/console/account")
	b.signOutAtProvider() // of its new session
	b.getPage("/console/account").wantStatus(http.StatusSeeOther)
}
