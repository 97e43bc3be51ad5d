package console_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
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

// TestSearchLeavesNothingOutSilently checks that the palette finds the oldest of many campaigns, that it links the lists
// of all campaigns, scenarios and calls that match where it shows some, and that the list of calls has all that run.
func TestSearchLeavesNothingOutSilently(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	var running []string
	number := func(i int) string { return fmt.Sprintf("+9665123457%02d", i) }
	for i := range kit.MaxStorePage + 2 {
		name := fmt.Sprintf("wave %d", i)
		if i == 0 {
			name = "oldest"
		}
		one := campaign.Campaign{
			ID: campaign.NewID(), OrgID: "acme", Name: name, ScenarioID: "appointment_confirmation", Status: campaign.Running,
			CreatedAt: d.now.Add(time.Duration(i) * time.Second),
		}
		c := call.Call{
			ID: call.NewID(), OrgID: "acme", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+966598%06d", i), ScenarioID: one.ScenarioID,
			CampaignID: one.ID, Booking: call.Booked, CreatedAt: d.now, ScheduledAt: d.now,
			Attempt: call.AttemptChain{Number: 1, Max: 1, Plan: call.RetryPlan{MaxAttempts: 1}},
		}
		c.Attempt.ChainID = c.ID
		_, err := d.store.CreateCampaign(t.Context(), one, []call.Call{c}, "test", nil)
		d.mustSucceed(err)
		_, err = d.store.ReleaseCall(t.Context(), "acme", c.ID, d.now)
		d.mustSucceed(err)
		running = append(running, c.ID)
	}
	d.getPage(account.Viewer, "/calls").wantStatus(200).wantTexts(running...)
	for i := range 7 {
		d.bookCall("acme", number(i), nil)
		d.mustSucceed(d.store.CreateScenario(t.Context(), scenario.Scenario{ID: fmt.Sprintf("care%d", i), OrgID: "acme", Name: "Care"}, "test", d.now))
	}
	d.getPage(account.Viewer, "/palette?q=oldest").wantStatus(200).wantTexts("/console/campaigns/").wantNoTexts("All that match")
	d.getPage(account.Viewer, "/palette?q=wave").wantStatus(200).wantTexts("All that match", "/console/campaigns?q=wave")
	d.getPage(account.Viewer, "/palette?q=care").wantStatus(200).wantTexts("All that match", "/console/scenarios?q=care")
	for i := range 7 { // the list finds what the search found, in any spelling
		winter := scenario.Scenario{ID: fmt.Sprintf("winter%d", i), OrgID: "acme", Name: "حملةُ الشتاء"}
		d.mustSucceed(d.store.CreateScenario(t.Context(), winter, "test", d.now))
	}
	typed := url.QueryEscape("حمله الشتاء")
	d.getPage(account.Viewer, "/palette?q="+typed).wantStatus(200).wantTexts("All that match", "/console/scenarios?q="+typed)
	d.getPage(account.Viewer, "/scenarios?q="+typed).wantStatus(200).wantTexts("winter0", "winter6").wantNoTexts("care0")
	d.getPage(account.Viewer, "/palette?q=12345").wantStatus(200).wantNoTexts("All that match")
	d.getPage(account.Viewer, "/palette?q=345700").wantStatus(200).wantTexts("/console/people/" + number(0)).wantNoTexts("All that match")
}
