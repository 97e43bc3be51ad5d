package whole_test

import (
	"strings"
	"testing"
	"time"
)

// TestCampaign: a paused campaign dials nobody, a running one reaches and counts, its unreached are called again, and a
// restart changes none of it.
func TestCampaign(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	var rows []object
	for _, ending := range []string{"07", "91", "90"} {
		rows = append(rows, object{"phone_number": simulated(ending)})
	}
	made := a.ask(t, "POST", "/campaigns", object{
		"name": "Visits", "scenario_id": "appointment_confirmation", "calls": rows, "paused": true,
	}).want(t, 201).data(t)
	path := "/campaigns/" + made.text("id")
	time.Sleep(time.Second)
	if c := a.ask(t, "GET", path, nil).want(t, 200).data(t); c.at("counts", "scheduled") != 3.0 || c.text("status") != "paused" {
		t.Fatalf("a paused campaign: %v", c)
	}
	a.ask(t, "POST", path+"/resume", nil).want(t, 200)
	finished := func(a *instance) object {
		t.Helper()
		for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			c := a.ask(t, "GET", path, nil).want(t, 200).data(t)
			if c.text("status") == "finished" || time.Since(began) > conversation {
				return c
			}
		}
	}
	if c := finished(a); c.at("counts", "completed") != 1.0 || c.at("counts", "user_rejected") != 1.0 || c.at("counts", "no_answer") != 1.0 ||
		len(c.object("answers")) == 0 {
		t.Fatalf("the campaign ended as %v", c)
	}
	if c := a.ask(t, "POST", path+"/retry", nil).want(t, 200).data(t); c.text("status") != "running" || c.at("counts", "no_answer") != 1.0 {
		t.Errorf("retried: %v", c)
	}
	before := finished(a)
	if before.at("counts", "no_answer") != 2.0 || before.at("counts", "user_rejected") != 1.0 {
		t.Errorf("after the retry: %v", before)
	}
	csv := string(a.ask(t, "GET", path+"/results.csv", nil).want(t, 200).Body)
	if strings.Count(csv, "\n") != 5 || !strings.Contains(csv, "declined") {
		t.Errorf("results:\n%s", csv)
	}
	a.stop(t)
	b := start(t, settings{data: a.Data, noKey: true})
	if after := finished(b); after.text("status") != "finished" || after.at("counts", "completed") != 1.0 {
		t.Errorf("after a restart: %v", after)
	}
}
