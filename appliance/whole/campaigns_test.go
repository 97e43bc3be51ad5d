package whole_test

import (
	"strings"
	"testing"
	"time"
)

// TestCampaign checks that a paused campaign dials nothing, that a running one is counted, that its unreached people
// are called again, and that a restart changes nothing.
func TestCampaign(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	var rows []jsonObject
	for _, ending := range []string{"07", "91", "90"} {
		rows = append(rows, jsonObject{"phone_number": simulatedNumber(ending)})
	}
	made := a.requestAPI(t, "POST", "/campaigns", jsonObject{
		"name": "Visits", "scenario_id": "appointment_confirmation", "calls": rows, "paused": true,
	}).wantStatus(t, 201).successData(t)
	path := "/campaigns/" + made.textAt("id")
	time.Sleep(time.Second)
	if c := a.requestAPI(t, "GET", path, nil).wantStatus(t, 200).successData(t); c.valueAt("counts", "scheduled") != 3.0 || c.textAt("status") != "paused" {
		t.Fatalf("a paused campaign: %v", c)
	}
	a.requestAPI(t, "POST", path+"/resume", nil).wantStatus(t, 200)
	finished := func(a *testInstance) jsonObject {
		t.Helper()
		for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			c := a.requestAPI(t, "GET", path, nil).wantStatus(t, 200).successData(t)
			if c.textAt("status") == "finished" || time.Since(began) > conversation {
				return c
			}
		}
	}
	if c := finished(a); c.valueAt("counts", "completed") != 1.0 || c.valueAt("counts", "user_rejected") != 1.0 || c.valueAt("counts", "no_answer") != 1.0 ||
		len(c.objectAt("answers")) == 0 {
		t.Fatalf("the campaign ended as %v", c)
	}
	if c := a.requestAPI(t, "POST", path+"/retry", nil).wantStatus(t, 200).successData(t); c.textAt("status") != "running" || c.valueAt("counts", "no_answer") != 1.0 {
		t.Errorf("retried: %v", c)
	}
	before := finished(a)
	if before.valueAt("counts", "no_answer") != 2.0 || before.valueAt("counts", "user_rejected") != 1.0 {
		t.Errorf("after the retry: %v", before)
	}
	csv := string(a.requestAPI(t, "GET", path+"/results.csv", nil).wantStatus(t, 200).Body)
	if strings.Count(csv, "\n") != 5 || !strings.Contains(csv, "declined") {
		t.Errorf("results:\n%s", csv)
	}
	a.stopGracefully(t)
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	if after := finished(b); after.textAt("status") != "finished" || after.valueAt("counts", "completed") != 1.0 {
		t.Errorf("after a restart: %v", after)
	}
}
