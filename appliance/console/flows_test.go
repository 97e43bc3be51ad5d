package console_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/console/system"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// roleGate authenticates three users, whose session token is the name of their role.
type roleGate struct{}

func (roleGate) LookUpSession(_ context.Context, token string) (account.UserSession, account.User, error) {
	role := account.UserRole(token)
	if !role.Allows(account.Viewer) {
		return account.UserSession{}, account.User{}, store.Errorf(store.CodeNotFound, "no session")
	}
	u := account.User{ID: "id-" + token, OrgID: "acme", Name: token, Role: role}
	return account.UserSession{UserID: u.ID, Hash: []byte(token)}, u, nil
}

func (g roleGate) PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	return g.LookUpSession(ctx, token)
}

func (roleGate) CSRFToken(s account.UserSession) string { return "csrf-" + string(s.Hash) }

// consoleBench is the console on its own store.
type consoleBench struct {
	t     *testing.T
	echo  *echo.Echo
	store store.Store
	now   time.Time
	deps  console.Dependencies
	lang  string // of pages; empty: en
}

func newBench(t *testing.T, change ...func(*console.Dependencies)) *consoleBench {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	b := newBenchOn(t, s, change...)
	for _, id := range []string{"acme", "other"} {
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: b.now}, "test"); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// newBenchOn is a bench on a store.
func newBenchOn(t *testing.T, s *badger.BadgerStore, change ...func(*console.Dependencies)) *consoleBench {
	t.Helper()
	b := &consoleBench{t: t, echo: echo.New(), store: s, now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}
	b.deps = console.Dependencies{Shared: kit.Shared{
		Signer: evidence.NewSigningKey([32]byte{1}),
		Store:  s, Gate: roleGate{}, Now: func() time.Time { return b.now }, Log: slog.New(slog.DiscardHandler),
		Assets: "/assets/0", Version: "1.2.3", Simulated: true,
		Talk: func(w http.ResponseWriter, _ *http.Request, _ service.TalkRequest) error {
			w.WriteHeader(http.StatusNoContent)
			return nil
		},
		Ring: func(context.Context, service.TalkRequest, callrules.TransferTarget) (string, error) {
			return call.TrialPrefix + "1", nil
		},
	}, Parts: console.Parts{System: system.Parts{Models: newModelWorker(t, s)}}}
	b.deps.UseCases = &service.UseCases{
		Store: s, Now: b.deps.Now, BuiltIn: func() []scenario.Scenario { return nil }, RunTests: runTests,
	}
	for _, f := range change {
		f(&b.deps)
	}
	b.echo.Use(middleware.CollectDamage)
	door := console.NewService(b.deps)
	door.MountRoutes(b.echo)
	b.echo.HTTPErrorHandler = func(err error, c echo.Context) {
		status, body := door.ExplainError(c, err)
		if err := c.HTMLBlob(status, body); err != nil {
			t.Error(err)
		}
	}
	return b
}

// testAnswer is an HTTP response.
type testAnswer struct {
	*httptest.ResponseRecorder
	t *testing.T
}

func (b *consoleBench) sendRequest(role account.UserRole, r *http.Request) testAnswer {
	b.t.Helper()
	r.AddCookie(&http.Cookie{Name: "munadi_session", Value: string(role)})
	r.AddCookie(&http.Cookie{Name: "munadi_lang", Value: cmp.Or(b.lang, "en")})
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	return testAnswer{w, b.t}
}

func (b *consoleBench) getPage(role account.UserRole, path string) testAnswer {
	b.t.Helper()
	return b.sendRequest(role, httptest.NewRequest(http.MethodGet, "/console"+path, nil))
}

// postForm submits a form with the session's CSRF token, unless the form has one.
func (b *consoleBench) postForm(role account.UserRole, path string, form url.Values) testAnswer {
	b.t.Helper()
	if !form.Has("csrf") {
		form.Set("csrf", "csrf-"+string(role))
	}
	r := httptest.NewRequest(http.MethodPost, "/console"+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.sendRequest(role, r)
}

func (b *consoleBench) postFile(role account.UserRole, path, name string, data []byte, fields url.Values) testAnswer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields.Set("csrf", "csrf-"+string(role))
	for key := range fields {
		b.mustSucceed(form.WriteField(key, fields.Get(key)))
	}
	file, err := form.CreateFormFile("file", name)
	b.mustSucceed(err)
	_, err = file.Write(data)
	b.mustSucceed(err)
	b.mustSucceed(form.Close())
	r := httptest.NewRequest(http.MethodPost, "/console"+path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.sendRequest(role, r)
}

func (b *consoleBench) mustSucceed(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (a testAnswer) wantStatus(status int) testAnswer {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("%d, want %d: %s", a.Code, status, a.Body)
	}
	return a
}

// wantRedirect expects a redirect after a change.
func (a testAnswer) wantRedirect(to string) {
	a.t.Helper()
	if a.wantStatus(http.StatusSeeOther); a.Header().Get("Location") != to {
		a.t.Fatalf("leads to %q, want %q", a.Header().Get("Location"), to)
	}
}

// wantTexts expects texts in the page.
func (a testAnswer) wantTexts(texts ...string) testAnswer {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(a.Body.String()), text) {
			a.t.Errorf("the page doesn't say %q", text)
		}
	}
	return a
}

// wantNoTexts expects none of the texts in the page.
func (a testAnswer) wantNoTexts(texts ...string) testAnswer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.Body.String(), text) {
			a.t.Errorf("the page says %q", text)
		}
	}
	return a
}

// formValues returns what a browser would submit of the page's form with that action.
func (a testAnswer) formValues(action string) url.Values {
	a.t.Helper()
	values, inside, area, list, found := url.Values{}, false, "", "", false
	tokens := html.NewTokenizer(bytes.NewReader(a.Body.Bytes()))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if !errors.Is(tokens.Err(), io.EOF) {
				a.t.Fatal(tokens.Err())
			}
			if !found {
				a.t.Fatalf("no form posts to %s", action)
			}
			return values
		}
		token := tokens.Token()
		attr := map[string]string{}
		for _, one := range token.Attr {
			attr[one.Key] = one.Val
		}
		_, checked := attr["checked"]
		_, selected := attr["selected"]
		switch {
		case token.Data == "form" && kind == html.StartTagToken:
			inside = attr["action"] == action
			found = found || inside
		case !inside:
		case kind == html.TextToken && area != "":
			values.Set(area, strings.TrimPrefix(token.Data, "\n"))
		case token.Data == "textarea" && kind == html.StartTagToken:
			area = attr["name"]
			values.Set(area, "")
		case token.Data == "textarea":
			area = ""
		case token.Data == "select":
			list = attr["name"]
		case token.Data == "option" && kind == html.StartTagToken && (selected || !values.Has(list)):
			values.Set(list, attr["value"])
		case token.Data == "input" && attr["name"] != "" && attr["type"] != "file":
			if kind := attr["type"]; kind == "radio" || kind == "checkbox" {
				if checked {
					values.Add(attr["name"], attr["value"])
				}
			} else if kind == "hidden" {
				values.Add(attr["name"], attr["value"])
			} else {
				values.Set(attr["name"], attr["value"])
			}
		}
	}
}
