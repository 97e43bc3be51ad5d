package console_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"munadi/appliance/console"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/store/storetest"
)

// TestNumbersInEveryField checks that each field of a telephone number takes it as people of the organization's country
// write it.
func TestNumbersInEveryField(t *testing.T) {
	t.Parallel()
	const typed, want = "٠٥١ ٢٣٤ ٥٦٠١", "+966512345601"
	fixed, from := false, ""
	w := trunksBench(t, &fixed, func(d *console.Dependencies) {
		d.UseCases.CallIn = func(_ context.Context, who, _ string) (int, error) {
			from = who
			return 0, nil
		}
	})
	w.mustSucceed(w.store.CreateScenario(t.Context(), everyStep(), "test", w.now))
	edit := w.getPage(account.Operator, "/scenarios/every/edit").wantStatus(200).formValues("/console/scenarios/every")
	edit.Set("steps.5.to", typed)
	edit.Set("op", "check")
	kept := w.postForm(account.Operator, "/scenarios/every/draft", edit).wantStatus(200).formValues("/console/scenarios/every")
	if to := kept.Get("steps.5.to"); to != want || !strings.Contains(kept.Get("json"), want) {
		t.Errorf("the transfer goes to %q", to)
	}
	edit.Set("steps.5.to", "")
	edit.Set("steps.5.targets", "sip:desk@pbx\n"+typed)
	kept = w.postForm(account.Operator, "/scenarios/every/draft", edit).wantStatus(200).formValues("/console/scenarios/every")
	if to := kept.Get("steps.5.targets"); to != "sip:desk@pbx\n"+want {
		t.Errorf("the transfer goes to %q", to)
	}

	w.postForm(account.Owner, "/users/"+w.someone+"/extension", newForm("extension", typed)).wantRedirect("/console/users")
	if u, err := w.store.FindUser(t.Context(), w.someone); err != nil || u.Extension != want {
		t.Errorf("the extension is %q, %v", u.Extension, err)
	}

	w.postForm(account.Owner, "/inbound/routes", newForm("number", "٠١١ ٢٣٤ ٥٦٧٨", "scenario_id", "every")).wantStatus(http.StatusSeeOther)
	w.postForm(account.Owner, "/inbound/simulate", newForm("from", typed, "to", "0112345678")).wantStatus(http.StatusSeeOther)
	if from != want {
		t.Errorf("the simulated caller is %q", from)
	}

	w.postForm(account.Owner, "/rules", url.Values{"recording": {"on"}, "caller_numbers": {"+966: ٠١١٢٣٤٥٦٧٨"}}).
		wantRedirect("/console/rules")
	rules, err := w.store.FindRules(t.Context(), "acme")
	if err != nil || strings.Join(rules.CallerNumbers["+966"], " ") != "+966112345678" {
		t.Errorf("the caller numbers are %v, %v", rules.CallerNumbers, err)
	}

	w.postForm(governor, "/trunks", newForm("name", "stc", "trunk", "sip:h", "caller-numbers", "+966: 0112345678")).
		wantRedirect("/console/trunks/stc")
	trunks, err := w.store.FindTrunks(t.Context(), account.Default)
	if err != nil || strings.Join(trunks.Trunks[0].CallerNumbers["+966"], " ") != "+966112345678" {
		t.Errorf("the trunk's caller numbers are %+v, %v", trunks, err)
	}
	booked := w.postForm(governor, "/trunks/stc/test", newForm("phone_number", typed, "scenario_id", "appointment_confirmation"))
	at := booked.wantStatus(http.StatusSeeOther).Header().Get("Location")
	c, err := w.store.FindCall(t.Context(), account.Default, strings.TrimPrefix(at, "/console/calls/"))
	if err != nil || c.PhoneNumber != want {
		t.Errorf("the trunk is tested with %q, %v", c.PhoneNumber, err)
	}
}

// TestNumbersOfTheOrganizationsCountry checks that numbers without a country code are of the organization's country
// before it has chosen one for its files, too: that of its time zone.
func TestNumbersOfTheOrganizationsCountry(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	cairo := callrules.CallRules{TimeZone: "Africa/Cairo"}
	d.mustSucceed(storetest.ReplaceRules(t.Context(), d.store, "acme", cairo, "test", d.now))
	form := d.getPage(account.Operator, "/calls/new?scenario=restaurant_order").formValues("/console/calls")
	form.Set("phone_number", "٠١٠٠ ١٢٣ ٤٥٦٧")
	form.Set("var.total", "75")
	at := d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusSeeOther).Header().Get("Location")
	c, err := d.store.FindCall(t.Context(), "acme", strings.TrimPrefix(at, "/console/calls/"))
	if err != nil || c.PhoneNumber != "+201001234567" {
		t.Errorf("called %q, %v", c.PhoneNumber, err)
	}
	d.getPage(account.Operator, "/campaigns/new").wantStatus(200).wantTexts(`value="EG" selected`)
}
