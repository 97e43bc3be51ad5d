package whole_test

import (
	"path/filepath"
	"testing"
	"time"
)

// TestSharedStoreSplit: an appliance loses the database for longer than its lease during a call. The other one ends the
// call as interrupted; the people go on talking, and when the database is reached again the true outcome replaces that,
// its webhook follows, and the retry is cancelled.
func TestSharedStoreSplit(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("it waits for leases and time-outs; MUNADI_LONG=1 runs it")
	}
	p := startPair(t)
	link, err := p.server.OpenLink()
	must(t, err)
	defer func() { must(t, link.Close()) }()
	cut := start(t, settings{noKey: true, args: []string{
		"--store", link.URL(), "--secret-file", filepath.Join(p.a.Data, "secret.key"), "--lines", "1",
	}})
	cut.tends = []string{"database"}
	for _, one := range []*instance{p.a, p.b} { // the call goes to the third
		one.stop(t)
	}
	hook := newReceiver(t, nil)
	cut.listen(t, hook)
	id := cut.book(t, simulated("05"), "restaurant_order", object{
		"retry": object{"max_attempts": 2, "delay_minutes": []int{30}},
	}).text("id")
	cut.until(t, id, isUp)
	other := start(t, settings{noKey: true, args: []string{
		"--store", p.server.URL(""), "--secret-file", filepath.Join(p.a.Data, "secret.key"), "--lines", "1",
	}})
	other.tends = []string{"database"}
	time.Sleep(time.Second)
	link.Cut()
	c := other.ended(t, id)
	if c.text("failure", "reason") != "interrupted" || c.text("next_call_id") == "" {
		t.Fatalf("while its appliance was cut off, the call ended as %v", c)
	}
	retry := c.text("next_call_id")
	link.Heal()
	c = other.until(t, id, func(c object) bool { return c.text("status") == "completed" })
	if c.text("next_call_id") == retry {
		t.Errorf("the corrected call still has its retry: %v", c)
	}
	if r := other.call(t, retry); r.text("status") != "cancelled" {
		t.Errorf("the retry is %s", r.text("status"))
	}
	for until := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		told := hook.of(id)
		if len(told) > 0 && told[len(told)-1].text("payload", "type") == "complete" {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("the webhook of the true outcome did not come; %d came", len(told))
		}
	}
}
