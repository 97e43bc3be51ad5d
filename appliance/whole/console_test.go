package whole_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// consoleOperator is an HTTP client of the console that keeps cookies and follows redirects.
type consoleOperator struct {
	*http.Client
	t    *testing.T
	base string
	csrf string
	at   string // path of the last page
}

func (a *testInstance) newOperator(t *testing.T) *consoleOperator {
	t.Helper()
	jar, err := cookiejar.New(nil)
	mustSucceed(t, err)
	base, err := url.Parse(a.URL)
	mustSucceed(t, err)
	jar.SetCookies(base, []*http.Cookie{{Name: "munadi_lang", Value: "en"}})
	return &consoleOperator{Client: &http.Client{Jar: jar}, t: t, base: a.URL}
}

var formToken = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// openPage requests a page and expects 200.
func (o *consoleOperator) openPage(path string) string {
	o.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = o.base + path
	}
	r, err := http.NewRequestWithContext(o.t.Context(), http.MethodGet, path, nil)
	mustSucceed(o.t, err)
	return o.sendRequest(r, http.StatusOK)
}

// submitForm submits a form with the CSRF token of the last page and follows the redirect.
func (o *consoleOperator) submitForm(path string, status int, fields ...string) string {
	o.t.Helper()
	q := url.Values{"csrf": {o.csrf}}
	for i := 0; i < len(fields); i += 2 {
		q.Add(fields[i], fields[i+1])
	}
	if !strings.HasPrefix(path, "http") {
		path = o.base + path
	}
	r, err := http.NewRequestWithContext(o.t.Context(), http.MethodPost, path, strings.NewReader(q.Encode()))
	mustSucceed(o.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return o.sendRequest(r, status)
}

func (o *consoleOperator) sendRequest(r *http.Request, status int) string {
	o.t.Helper()
	res, err := o.Do(r)
	mustSucceed(o.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	mustSucceed(o.t, err)
	o.at = res.Request.URL.Path
	if found := formToken.FindSubmatch(body); found != nil {
		o.csrf = string(found[1])
	}
	if res.StatusCode != status {
		o.t.Fatalf("%s %s: %d, want %d: %.500s", r.Method, r.URL.Path, res.StatusCode, status, mainOf(string(body)))
	}
	return mainOf(string(body))
}

// mainOf returns the text of a page's main element.
func mainOf(page string) string {
	if _, main, found := strings.Cut(page, "<main"); found {
		return main
	}
	return page
}

// setUpLink returns the set-up link in the log of the first start.
func (a *testInstance) setUpLink(t *testing.T) string {
	t.Helper()
	found, err := a.log.awaitPattern(regexp.MustCompile(`link="?(http\S+/console/setup/[\w-]+)`), a.processExited())
	mustSucceed(t, err)
	return found[1]
}

// TestFirstStart follows the first start of an appliance: link, password, key, call.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{noKey: true})
	link := a.setUpLink(t)
	if !strings.HasPrefix(link, a.URL+"/") {
		t.Errorf("the link %s does not lead to %s", link, a.URL)
	}
	o := a.newOperator(t)
	o.openPage(link)
	shown := o.submitForm(link, http.StatusOK, "password", "صقر فوق الجبل", "again", "صقر فوق الجبل")
	plain := regexp.MustCompile(`mnd_\w{40,}`).FindString(shown)
	if plain == "" || o.at != "/console/welcome" {
		t.Fatalf("%s shows no key: %.600s", o.at, shown)
	}
	var list jsonObject
	a.requestAPI(t, http.MethodGet, "/calls", nil, withKey(plain)).wantStatus(t, 200).decodeJSON(t, &list)
	if len(list.listAt("data")) != 0 {
		t.Errorf("calls before the first: %v", list)
	}
	o.submitForm("/console/welcome/call", http.StatusOK)
	id := strings.TrimPrefix(o.at, "/console/calls/")
	var c jsonObject
	for deadline := time.Now().Add(conversation); ; time.Sleep(100 * time.Millisecond) {
		c = a.requestAPI(t, http.MethodGet, "/calls/"+id, nil, withKey(plain)).wantStatus(t, 200).successData(t)
		if !slices.Contains(running, c.textAt("status")) || time.Now().After(deadline) {
			break
		}
	}
	if c.textAt("status") != "completed" || len(c.listAt("enhanced_transcript", "transcript", "messages")) == 0 {
		t.Errorf("the first call is %v", c)
	}
	stranger := a.newOperator(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	mustSucceed(t, err)
	stranger.sendRequest(r, http.StatusGone)
	a.stopGracefully(t)
	if strings.Contains(a.log.String(), plain) {
		t.Error("the log has the key")
	}
	if token := path.Base(link); strings.Count(a.log.String(), token) != 1 || !strings.Contains(a.log.String(), "/console/setup/•••") {
		t.Errorf("the log has the set-up token not only in the line that offers the link:\n%s", a.log.lastLines())
	}
	again := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	if strings.Contains(again.log.String(), "/console/setup/") {
		t.Error("a second start offers a set-up link")
	}
	back := again.newOperator(t)
	back.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", "صقر فوق الجبل", "next", "/console/audit")
	if back.at != "/console/audit" {
		t.Errorf("signed in at %s", back.at)
	}
}

// TestBootstrapPassword checks that with a password in the environment the user admin can sign in and no link is
// printed, and that the variable is ignored at later starts.
func TestBootstrapPassword(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=the first night shift"}})
	if strings.Contains(a.log.String(), "/console/setup/") || strings.Contains(a.log.String(), "night shift") {
		t.Errorf("the log has a link or the password:\n%s", a.log.lastLines())
	}
	o := a.newOperator(t)
	o.openPage("/console/account")
	if o.at != "/console/sign-in" {
		t.Errorf("without a session, the account is at %s", o.at)
	}
	o.submitForm("/console/sign-in", http.StatusUnauthorized, "name", "admin", "password", "the second night shift")
	o.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", "the first night shift", "next", "/console/account")
	if page := o.openPage("/console/account"); o.at != "/console/account" || !strings.Contains(page, "admin") {
		t.Errorf("signed in at %s: %.300s", o.at, page)
	}
	out := runMunadi(t, nil, "users", "list", "--data", a.Data)
	if out.code != 0 || !strings.Contains(out.stdout, "admin") || !strings.Contains(out.stdout, "owner") {
		t.Errorf("users list: %+v", out)
	}
	made := runMunadi(t, nil, "users", "password", "admin", "--data", a.Data)
	if made.code != 0 {
		t.Fatalf("users password: %+v", made)
	}
	o.openPage("/console/account")
	if o.at != "/console/sign-in" {
		t.Error("a session outlives the new password")
	}
	a.stopGracefully(t)
	b := startInstance(t, instanceSettings{data: a.Data, env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=something else entirely"}})
	o = b.newOperator(t)
	o.submitForm("/console/sign-in", http.StatusUnauthorized, "name", "admin", "password", "something else entirely")
	o.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", strings.TrimSpace(made.stdout), "next", "/console/account")
}

// TestConsoleOrganizations checks that users of one organization get nothing of another, at any address.
func TestConsoleOrganizations(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=the first night shift"}})
	if got := runMunadi(t, nil, "orgs", "create", "rival", "--data", a.Data); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	made := runMunadi(t, nil, "users", "create", "spy", "--org", "rival", "--data", a.Data)
	if made.code != 0 {
		t.Fatalf("%+v", made)
	}
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	id := a.bookCall(t, simulatedNumber("91"), "appointment_confirmation", nil).textAt("id")
	hook.awaitNotification(t, id)
	deliveries := jsonObject(a.requestAPI(t, http.MethodGet, "/webhook/deliveries", nil).wantStatus(t, 200).jsonBody(t))
	sent, _ := deliveries.listAt("data")[0].(map[string]any)
	delivery, _ := sent["id"].(string)

	owner, spy := a.newOperator(t), a.newOperator(t)
	owner.submitForm("/console/sign-in", 200, "name", "admin", "password", "the first night shift", "next", "/console/account")
	first, chosen := strings.TrimSpace(made.stdout), "the spy's own sentence"
	spy.submitForm("/console/sign-in", 200, "name", "spy", "password", first, "next", "/console/account")
	spy.submitForm("/console/account/password", 200, "current", first, "new", chosen, "again", chosen)
	if page := owner.openPage("/console/webhook/deliveries/" + delivery); !strings.Contains(page, id) {
		t.Errorf("the owner sees %.500s", page)
	}
	for _, path := range []string{
		"/console/webhook/deliveries/" + delivery, "/console/calls/" + id, "/console/organizations",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL+path, nil)
		mustSucceed(t, err)
		if page := spy.sendRequest(r, http.StatusNotFound); strings.Contains(page, hook.URL) || strings.Contains(page, simulatedNumber("91")) {
			t.Errorf("%s tells the spy %.500s", path, page)
		}
	}
	for _, path := range []string{"/console/webhook", "/console/keys", "/console/users", "/console/audit"} {
		page := spy.openPage(path)
		for _, secret := range []string{hook.URL, "bootstrap", "<bdi>admin<", id} {
			if strings.Contains(page, secret) {
				t.Errorf("%s tells the spy of %s", path, secret)
			}
		}
	}
}
