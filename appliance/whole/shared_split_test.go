package whole_test

import (
	"path/filepath"
	"testing"
	"time"
)

// TestSharedStoreSplit cuts an appliance off from the database during a call, for longer than its lease. The other one
// ends the call as interrupted while the conversation continues. When the database is reachable again, the true outcome
// replaces that one and is notified, and the retry is cancelled.
func TestSharedStoreSplit(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("it waits for leases and timeouts; MUNADI_LONG=1 runs it")
	}
	p := startPair(t)
	link, err := p.server.OpenLink()
	mustSucceed(t, err)
	defer func() { mustSucceed(t, link.Close()) }()
	cut := startInstance(t, instanceSettings{noKey: true, args: []string{
		"--store", link.URL(), "--secret-file", filepath.Join(p.a.Data, "secret.key"), "--lines", "1",
	}})
	cut.tends = []string{"database"}
	for _, one := range []*testInstance{p.a, p.b} { // the calls go to the third appliance
		one.stopGracefully(t)
	}
	hook := newReceiver(t, nil)
	cut.setReceiver(t, hook)
	id := cut.bookCall(t, simulatedNumber("05"), "restaurant_order", jsonObject{
		"retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{30}},
	}).textAt("id")
	cut.awaitCall(t, id, isUp)
	other := startInstance(t, instanceSettings{noKey: true, args: []string{
		"--store", p.server.URL(""), "--secret-file", filepath.Join(p.a.Data, "secret.key"), "--lines", "1",
	}})
	other.tends = []string{"database"}
	time.Sleep(time.Second)
	link.Cut()
	c := other.awaitEnded(t, id)
	if c.textAt("failure", "reason") != "interrupted" || c.textAt("next_call_id") == "" {
		t.Fatalf("while its appliance was cut off, the call ended as %v", c)
	}
	retry := c.textAt("next_call_id")
	link.Heal()
	c = other.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "completed" })
	if c.textAt("next_call_id") == retry {
		t.Errorf("the corrected call still has its retry: %v", c)
	}
	if r := other.fetchCall(t, retry); r.textAt("status") != "cancelled" {
		t.Errorf("the retry is %s", r.textAt("status"))
	}
	for until := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		told := hook.notificationsOf(id)
		if len(told) > 0 && told[len(told)-1].textAt("payload", "type") == "complete" {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("the webhook of the true outcome did not come; %d came", len(told))
		}
	}
}
