package console_test

import (
	"net/url"
	"testing"

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
