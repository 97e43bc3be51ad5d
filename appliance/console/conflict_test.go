package console_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/delivery"
	"munadi/store/restaurant"
)

// mergeForms returns a form with the fields of another one in place of its own.
func mergeForms(form, changed url.Values) url.Values {
	maps.Copy(form, changed)
	return form
}

// TestLostUpdates: of two people who change a whole setting, the second one sees both versions instead of overwriting
// the first one's, and replaces them by saving again. What the form does not replace makes no conflict.
func TestLostUpdates(t *testing.T) {
	t.Parallel()
	for path, c := range map[string]struct {
		first, second url.Values // of the fields that each of the two changes
		shown         []string   // on the page of the conflict
	}{
		"/rules": {
			newForm("time_zone", "Asia/Riyadh"), newForm("attempts_per_day", "3", "hours", "week", "hours.sunday.0.from", "9", "hours.sunday.0.to", "17"),
			[]string{"Asia/Riyadh", "Attempts a day to a number", "At any time", "09:00–17:00", `value="3"`},
		},
		"/webhook": {
			newForm("url", "http://shop.test/first"), newForm("url", "http://shop.test/second", "alerts", "yes"),
			[]string{"http://shop.test/first", "http://shop.test/second"},
		},
		"/phrases": {
			newForm("bias.use", "own", "bias", "فلافل"), newForm("enter.use", "own", "enter", "ابدأ الطلب"), []string{"فلافل", "ابدأ الطلب"},
		},
		"/alerts/recipients": {
			newForm("recipients", "first@example.com"), newForm("recipients", "second@example.com"), []string{"first@example.com", "second@example.com"},
		},
		"/inbound": {
			newForm("callback_days", "2"), newForm("callback_days", "9"), []string{"Saved now"},
		},
		"/destinations/dest_1": {
			newForm("url", "http://shop.test/first"), newForm("url", "http://shop.test/second"),
			[]string{"http://shop.test/first", "http://shop.test/second"},
		},
		"/scenarios/greet": {
			newForm("name", "First name"), newForm("name", "Second name"), []string{"First name", "Second name"},
		},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(d *console.Dependencies) {
				d.Phrases.BuiltInPhrases = func() restaurant.PhraseSet { return restaurant.PhraseSet{} }
				d.UseCases.CheckURL = func(context.Context, string) error { return nil }
			})
			b.mustSucceed(b.store.CreateScenario(t.Context(), greetScenario(), "test", b.now))
			b.mustSucceed(b.store.ChangeDestinations(t.Context(), "acme", func(d *delivery.DestinationBoard) (store.AuditEntry, error) {
				one := delivery.NewDestination("http://shop.test/", []delivery.EventType{delivery.CallBooked}, true, b.now)
				one.ID = "dest_1"
				d.Destinations = append(d.Destinations, one)
				return store.AuditEntry{At: b.now, Actor: "test", Action: "destination.create"}, nil
			}))
			shown := map[string]string{"/alerts/recipients": "/alerts", "/scenarios/greet": "/scenarios/greet/edit"}[path]
			if shown == "" {
				shown = path
			}
			action := "/console" + path
			open := func() url.Values { return b.getPage(account.Owner, shown).wantStatus(200).formValues(action) }
			first, second, third := mergeForms(open(), c.first), mergeForms(open(), c.second), mergeForms(open(), c.second)
			b.postForm(account.Operator, "/rules/stop", url.Values{}).wantRedirect("/console/rules")
			b.postForm(account.Owner, "/webhook/rotate", url.Values{}).wantRedirect("/console/webhook")
			b.postForm(account.Owner, path, first).wantStatus(303)
			conflict := b.postForm(account.Owner, path, second).wantStatus(409)
			conflict.wantTexts(append(c.shown, "Someone saved another version", "Saved now", "Your change")...)
			b.postForm(account.Owner, path, third).wantStatus(409)
			b.postForm(account.Owner, path, conflict.formValues(action)).wantStatus(303)
			b.postForm(account.Owner, path, first).wantStatus(409)
		})
	}
}

// TestLostUpdatesOfAUser: of two tabs that change a user's role, an extension or one's own, the second one is told what
// is saved now and what it was about to save; with the page opened again it is saved.
func TestLostUpdatesOfAUser(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, c := range []struct {
		role                        account.UserRole
		page, path, name            string
		first, second, saved, typed string
		id                          string
	}{
		{account.Owner, "/users", "/users/" + w.someone + "/role", "role", "operator", "owner", "Operator", "Owner", w.someone},
		{account.Owner, "/users", "/users/" + w.someone + "/extension", "extension", "sip:1@pbx", "sip:2@pbx", "sip:1@pbx", "sip:2@pbx", w.someone},
		{account.Operator, "/account", "/account/extension", "extension", "sip:3@pbx", "", "sip:3@pbx", "—", "id-operator"},
	} {
		action := "/console" + c.path
		open := func() url.Values { return w.getPage(c.role, c.page).wantStatus(200).formValues(action) }
		first, second := mergeForms(open(), newForm(c.name, c.first)), mergeForms(open(), newForm(c.name, c.second))
		value := func() string {
			u, err := w.store.FindUser(t.Context(), c.id)
			w.mustSucceed(err)
			return map[string]string{"role": string(u.Role), "extension": u.Extension}[c.name]
		}
		w.postForm(c.role, c.path, first).wantRedirect("/console" + c.page)
		refused := w.postForm(c.role, c.path, second)
		refused.wantRedirect("/console" + c.page)
		next := httptest.NewRequest(http.MethodGet, "/console"+c.page, nil)
		for _, one := range refused.Result().Cookies() {
			next.AddCookie(one)
		}
		w.sendRequest(c.role, next).wantTexts(kit.IsolateText(c.typed)+" was not saved", "it is "+kit.IsolateText(c.saved)+" now")
		if got := value(); got != c.first {
			t.Errorf("%s: %q is stored, want %q of the first tab", c.path, got, c.first)
		}
		if c.page == "/account" { // which shows the visitor of the session, here one that is made up
			continue
		}
		w.postForm(c.role, c.path, mergeForms(open(), newForm(c.name, c.second))).wantRedirect("/console" + c.page)
		if got := value(); got != c.second {
			t.Errorf("%s: %q is stored after the page was opened again, want %q", c.path, got, c.second)
		}
	}
}
