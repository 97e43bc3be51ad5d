package console_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
)

// TestFindByName checks that the list of calls and the palette find a person by the beginnings of the name, in any
// spelling, and that they say so while calls of an older version are still being added.
func TestFindByName(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	book := func(org, number, name string, after time.Duration) call.Call {
		return d.bookCall(org, number, func(c *call.Call) {
			c.ScenarioID, c.NameVariable, c.Variables = "appointment_confirmation", "name", map[string]any{"name": name}
			c.CreatedAt = c.CreatedAt.Add(after)
		})
	}
	first := book("acme", "+966512345601", "نُورة العتيبي", 0)
	second := book("acme", "+966512345602", "نوره أحمد", time.Second)
	other := book("acme", "+966512345603", "خالد", 2*time.Second)
	foreign := book("other", "+966512345604", "نورة", 0)
	said := "still being added to the search by name"
	d.getPage(account.Viewer, "/calls?number="+url.QueryEscape("نورة")).wantStatus(200).
		wantTexts(said, first.ID, second.ID).wantNoTexts(other.ID, foreign.ID)
	d.getPage(account.Viewer, "/palette?q="+url.QueryEscape("نورة")).wantStatus(200).wantTexts(said)
	d.mustSucceed(d.store.CreateScenario(t.Context(), scenario.Scenario{ID: "dental", OrgID: "acme", Name: "مواعيد الأسنان المُؤكَّدة"}, "test", d.now))
	d.getPage(account.Viewer, "/palette?q="+url.QueryEscape("الاسنان المؤكده")).wantStatus(200).wantTexts("/scenarios/dental")
	if err := d.store.NameOlderCalls(t.Context(), nil, d.now); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string][]string{
		"نوره": {first.ID, second.ID}, "احمد نـور": {second.ID}, "العتيبى": {first.ID}, "خ": {other.ID}, "زيد": nil, "345602": {second.ID},
	} {
		for _, path := range []string{"/calls?number=", "/calls?order=asc&name="} {
			if path != "/calls?number=" && typed == "345602" {
				continue
			}
			page := d.getPage(account.Viewer, path+url.QueryEscape(typed)).wantStatus(200).wantTexts(want...).wantNoTexts(said, foreign.ID)
			for _, id := range []string{first.ID, second.ID, other.ID} {
				if !slices.Contains(want, id) {
					page.wantNoTexts(id)
				}
			}
		}
	}
	d.getPage(account.Viewer, "/calls?scenario=appointment_confirmation&slot=confirmed&answer=true&name="+url.QueryEscape("نورة")).
		wantStatus(200).wantNoTexts(first.ID)
	d.getPage(account.Viewer, "/palette?q="+url.QueryEscape("عتيبي نورة")).wantStatus(200).wantNoTexts(first.ID)
	d.getPage(account.Viewer, "/palette?q="+url.QueryEscape("العتيبي نورة")).wantStatus(200).wantNoTexts(second.ID, foreign.ID, said).
		wantTexts("/people/+966512345601", "/calls/"+first.ID, "نُورة العتيبي", "Scheduled · \u2066"+first.ScheduledAt.UTC().Format("2006-01-02"))
	d.getPage(account.Viewer, "/palette?q=345603").wantStatus(200).wantTexts("خالد", "/calls/"+other.ID)
	d.getPage(account.Viewer, "/palette?q="+url.QueryEscape("ن")).wantStatus(200).wantNoTexts(first.ID)
}
