package service_test

import (
	"testing"
	"time"

	"munadi/appliance/scenariocheck"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/memory"
	"munadi/store/scenario"
)

// TestBookedVersion: calls, those of campaigns, too, are dialled with the version of the scenario that they were booked
// with, unless a later one says that booked calls follow it.
func TestBookedVersion(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	u := &service.UseCases{
		Store: s, Now: func() time.Time { return now }, BuiltIn: func() []scenario.Scenario { return nil },
	}
	who := service.Caller{OrgID: "acme", Actor: "test"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.CreateOrganization(t.Context(), account.Organization{ID: "acme", Name: "acme"}, "test"))
	publish := func(line string, follow bool) {
		t.Helper()
		must(s.PutScenario(t.Context(), scenario.Scenario{
			ID: "visit", OrgID: "acme", Name: "v", UpdateBookedCalls: follow,
			Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: line}}}},
		}, "test", now))
	}
	publish("أولا", false)
	booked, err := u.BookCall(t.Context(), who, service.BookingRequest{PhoneNumber: "+966512345601", ScenarioID: "visit"})
	must(err)
	_, _, err = u.CreateCampaign(t.Context(), who, service.CampaignRequest{
		Name: "c", ScenarioID: "visit", Rows: []service.CampaignRow{{PhoneNumber: "+966512345602"}},
	})
	must(err)
	calls, err := s.CallsPage(t.Context(), "acme", store.CallFilter{Limit: 10})
	must(err)
	if len(calls.Items) != 2 || booked.Call.ScenarioVersion != 1 {
		t.Fatalf("%d calls, %+v", len(calls.Items), booked.Call)
	}
	finder := &scenariocheck.ScenarioFinder{Store: s}
	said := func(c call.Call) string {
		t.Helper()
		plan, err := finder.ScenarioVersion(t.Context(), "acme", c.ScenarioID, c.ScenarioVersion)
		must(err)
		return plan.Steps[0].Say[0].Text
	}
	for _, v := range []struct {
		line   string
		follow bool
		want   string
	}{{"ثانيا", false, "أولا"}, {"ثالثا", true, "ثالثا"}, {"رابعا", false, "أولا"}} {
		publish(v.line, v.follow)
		for _, c := range calls.Items {
			if got := said(c); got != v.want {
				t.Errorf("after %q (%v) a booked call of %q says %q, want %q", v.line, v.follow, c.CampaignID, got, v.want)
			}
		}
	}
}
