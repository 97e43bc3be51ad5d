package console_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"munadi/appliance/console"
	"munadi/store/account"
)

const nobody account.UserRole = "nobody" // without a session

// TestUnsentForms: what was typed in a form whose session has ended is on the page that says so, and after the sign-in
// it is sent by that page, for the user and organization that it names. Secrets are typed again.
func TestUnsentForms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), greetScenario(), "test", b.now))
	const path, action = "/scenarios/greet", "/console/scenarios/greet"
	typed := b.getPage(account.Operator, path+"/edit").wantStatus(200).formValues(action)
	typed.Set("name", "A \"long\" <text>\nover two lines")
	signedOut := b.postForm(nobody, path, typed).wantStatus(401)
	signedOut.wantTexts("You are signed out", `href="/console/sign-in" target="_blank"`).wantNoTexts(`name="csrf"`)
	kept := signedOut.formValues(action)
	kept.Set("csrf", "")
	ready := b.postForm(account.Owner, path, kept).wantStatus(403)
	ready.wantTexts("as \u2068owner\u2069, for the organization \u2068acme\u2069")
	again := ready.formValues(action)
	if got := again.Get("csrf"); got == "" || got == typed.Get("csrf") {
		t.Errorf("the token %q is that of the earlier session", got)
	}
	typed.Del("csrf")
	again.Del("csrf")
	for name := range typed {
		if again.Get(name) != typed.Get(name) {
			t.Errorf("%s: %q became %q", name, typed[name], again[name])
		}
	}
	b.postForm(account.Owner, path, ready.formValues(action)).wantStatus(303)
	saved, err := b.store.FindScenario(t.Context(), "acme", "greet")
	b.mustSucceed(err)
	if saved.Name != typed.Get("name") {
		t.Errorf("saved %q", saved.Name)
	}

	secret := newForm("name", "noura", "role", "viewer", "password", goodPassword)
	b.postForm(nobody, "/users", secret).wantStatus(401).wantTexts("noura", "password is not kept").wantNoTexts(goodPassword)
	secret.Set("csrf", "old")
	b.postForm(account.Owner, "/users", secret).wantStatus(403).wantTexts("noura", `type="password"`).wantNoTexts(goodPassword)
	b.postForm(nobody, "/rules/stop", url.Values{}).wantStatus(401).wantTexts("Sign in first")
	b.postForm(nobody, "/account/password", newForm("username", "amal", "current", goodPassword, "new", "another horse")).
		wantStatus(401).wantTexts("Sign in first").wantNoTexts(goodPassword)
	b.postFile(nobody, "/campaigns/columns", "c.csv", []byte("to\n+966500000007\n"), newForm("scenario_id", "greet")).
		wantStatus(401).wantTexts(`enctype="multipart/form-data"`, "The file that you chose is not kept", "greet")
}

// TestLargeUnsentForms: of large forms of people without a session eight are in memory at once; the next ones are
// refused without being read, small ones are kept as before.
func TestLargeUnsentForms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	send := func(body io.Reader, size int64) testAnswer {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/console/scenarios/greet", body)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.ContentLength = size
		return b.sendRequest(nobody, r)
	}
	const large = 65 << 10
	var slow sync.WaitGroup
	var ends []*io.PipeWriter
	for range 8 {
		body, w := io.Pipe()
		slow.Go(func() { send(body, large).wantStatus(401).wantTexts("what I typed") })
		_, err := io.WriteString(w, "name=what+I+")
		b.mustSucceed(err)
		ends = append(ends, w)
	}
	unread := strings.NewReader("name=what+I+typed")
	send(unread, large).wantStatus(401).wantNoTexts("what I typed")
	send(strings.NewReader("name=what+I+typed"), -1).wantStatus(401).wantNoTexts("what I typed")
	if unread.Len() == 0 {
		t.Error("the ninth was read")
	}
	send(strings.NewReader("name=what+I+typed"), 17).wantStatus(401).wantTexts("what I typed")
	for _, w := range ends {
		_, err := io.WriteString(w, "typed")
		b.mustSucceed(errors.Join(err, w.Close()))
	}
	slow.Wait()
	send(strings.NewReader("name=what+I+typed"), large).wantStatus(401).wantTexts("what I typed")
}

// TestLargeForms: of an organization's forms over 64 KiB four are in memory at once; the next one waits, those of another
// organization do not.
func TestLargeForms(t *testing.T) {
	t.Parallel()
	b := openFixture(t, func(t *testing.T, change ...func(*console.Dependencies)) *consoleBench { return newBench(t, change...) })
	b.addPeople()
	const small = 64 << 10
	begin := func(role account.UserRole) (body *io.PipeWriter, answered chan testAnswer) {
		from, body := io.Pipe()
		answered = make(chan testAnswer, 1)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/console/rules/stop", from)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		go func() { answered <- b.sendRequest(role, r) }()
		_, err := io.WriteString(body, strings.Repeat("a", small))
		b.mustSucceed(err)
		return body, answered
	}
	isRead := func(body *io.PipeWriter) chan error { // whether more than its first 64 KiB are read
		read := make(chan error, 1)
		go func() {
			defer close(read)
			_, err := io.WriteString(body, "b")
			read <- errors.Join(err, body.Close())
		}()
		return read
	}
	var first []*io.PipeWriter
	var answers []chan testAnswer
	for range 4 {
		body, answered := begin(account.Owner)
		_, err := io.WriteString(body, "b")
		b.mustSucceed(err)
		first, answers = append(first, body), append(answers, answered)
	}
	fifth, last := begin(account.Operator)
	waiting := isRead(fifth)
	select {
	case err := <-waiting:
		t.Errorf("five large forms of an organization are in memory: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	other, theirs := begin(rival)
	b.mustSucceed(<-isRead(other))
	b.mustSucceed(first[0].Close())
	b.mustSucceed(<-waiting)
	for _, body := range first {
		_ = body.Close()
	}
	for _, answered := range append(answers, last, theirs) {
		(<-answered).wantStatus(403) // their token is none
	}
}

// TestHalfAForm: a client that leaves in the middle of a form is no failure of the server.
func TestHalfAForm(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/console/sign-in", iotest.ErrReader(io.ErrUnexpectedEOF))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	b.sendRequest(nobody, r).wantStatus(400)
}

// TestFormOfAnotherOrganization: a form that was opened for one organization does not change another one, which its user
// has selected on another tab meanwhile.
func TestFormOfAnotherOrganization(t *testing.T) {
	t.Parallel()
	b := openFixture(t, func(t *testing.T, change ...func(*console.Dependencies)) *consoleBench { return newBench(t, change...) })
	b.addPeople()
	form := b.getPage(rival, "/rules").wantStatus(200).formValues("/console/rules")
	form.Set("csrf", "csrf-"+string(governor)+"@other")
	b.postForm(governor, "/rules", form).wantStatus(403).wantTexts("for another organization")
	own := b.getPage(governor, "/rules").wantStatus(200).formValues("/console/rules")
	b.postForm(governor, "/rules", own).wantStatus(303)
}
