package whole_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// bulkCalls is the number of calls of a bulk change in tests: several batches.
const bulkCalls = 1000

// bookLater books n calls for the next day in one campaign and returns its id.
func (a *testInstance) bookLater(t *testing.T, n int) string {
	t.Helper()
	var rows []jsonObject
	for i := range n {
		rows = append(rows, jsonObject{"phone_number": fmt.Sprintf("+96651%06d1", i)})
	}
	return a.requestAPI(t, "POST", "/campaigns", jsonObject{
		"name": "later", "scenario_id": "appointment_confirmation", "calls": rows, "starts_at": timeFromNow(24 * time.Hour),
	}).wantStatus(t, 201).successData(t).textAt("id")
}

// signInOperator signs the first user in.
func (a *testInstance) signInOperator(t *testing.T) *consoleOperator {
	t.Helper()
	o := a.newOperator(t)
	o.openPage("/console/sign-in")
	o.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", adminPassword)
	return o
}

// countCancelled counts the cancelled calls of a campaign.
func (a *testInstance) countCancelled(t *testing.T, campaignID string) int {
	t.Helper()
	c := a.requestAPI(t, "GET", "/campaigns/"+campaignID, nil).wantStatus(t, 200).successData(t)
	n, _ := c.objectAt("counts")["cancelled"].(float64)
	return int(n)
}

// awaitCancelled waits until at least n calls of a campaign are cancelled.
func (a *testInstance) awaitCancelled(t *testing.T, campaignID string, n int) (found int) {
	t.Helper()
	for deadline := time.Now().Add(2 * patience); found < n; time.Sleep(20 * time.Millisecond) {
		if found = a.countCancelled(t, campaignID); time.Now().After(deadline) {
			t.Fatalf("%d calls are cancelled, want %d", found, n)
		}
	}
	return found
}

// TestBulkCutByPower checks that a bulk change continues after kills while it waits and while it runs, and changes each
// call once.
func TestBulkCutByPower(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + adminPassword}})
	id := a.bookLater(t, bulkCalls)
	o := a.signInOperator(t)
	o.openPage("/console/calls/bulk?campaign=" + id)
	page := o.submitForm("/console/calls/bulk", http.StatusOK, "query", "campaign="+id, "action", "cancel")
	if !strings.Contains(page, fmt.Sprint(bulkCalls)) && !strings.Contains(page, "1,000") {
		t.Errorf("the page does not count %d calls: %s", bulkCalls, page)
	}
	progress, began := o.at, time.Now()
	a.killProcess(t)
	a = startInstance(t, instanceSettings{data: a.Data, noKey: true})
	before := a.awaitCancelled(t, id, 1)
	a.killProcess(t)
	a = startInstance(t, instanceSettings{data: a.Data, noKey: true})
	middle := a.countCancelled(t, id)
	a.awaitCancelled(t, id, bulkCalls)
	t.Logf("%d calls were changed before the second cut, %d when the service was back; all within %v",
		before, middle, time.Since(began))
	o = a.signInOperator(t)
	for deadline := time.Now().Add(patience); !strings.Contains(page, `data-state="done"`); time.Sleep(100 * time.Millisecond) {
		if page = o.openPage(progress); time.Now().After(deadline) {
			t.Fatalf("the change does not end: %s", page)
		}
	}
	times := map[string]int{}
	for _, id := range regexp.MustCompile(`call_[\w-]+`).FindAllString(o.openPage("/console/audit.csv"), -1) {
		times[id]++
	}
	for call, n := range times {
		if n != 1 {
			t.Errorf("%s has %d lines in the audit trail", call, n)
		}
	}
	if len(times) != bulkCalls {
		t.Errorf("%d calls have a line in the audit trail, want %d", len(times), bulkCalls)
	}
}
