package whole_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSharedStoreLimits checks that limits hold over two appliances together: an idempotency key books one call, an
// organization keeps its limit of concurrent calls, a number is called once at a time, and restaurant mode belongs to
// the session on both.
func TestSharedStoreLimits(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	both := []*testInstance{p.a, p.b}
	t.Run("an idempotency key", func(t *testing.T) { checkKeyBooksOnce(t, p) })
	t.Run("restaurant mode", func(t *testing.T) {
		session := withHeader("x-session-id", "table-7")
		for i, want := range []string{"restaurant", "default"} {
			mode, text := both[i].heardIn(t, session, withHeader("x-session-mode", want))
			inMode(t, "asked for", mode, text, want)
			mode, text = both[1-i].heardIn(t, session)
			inMode(t, "on the other appliance", mode, text, want)
		}
	})
	t.Run("calls of an organization", func(t *testing.T) {
		p.a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"max_concurrent_calls": 1}).wantStatus(t, http.StatusOK)
		checkOneAtATime(t, p, "+966500001105", "+966500001205", "+966500001305", "+966500001405")
		p.b.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"max_concurrent_calls": 0}).wantStatus(t, http.StatusOK)
	})
	t.Run("calls to a number", func(t *testing.T) {
		checkOneAtATime(t, p, simulatedNumber("05"), simulatedNumber("05"), simulatedNumber("05"))
	})
}

// checkKeyBooksOnce sends requests with the same key to both appliances at once, three times.
func checkKeyBooksOnce(t *testing.T, p appliancePair) {
	body := jsonObject{"phone_number": simulatedNumber("02"), "scenario_id": "appointment_confirmation", "scheduled_at": timeFromNow(time.Hour)}
	for _, key := range []string{"k-1", "k-2", "k-3"} {
		ids := make([]string, 8)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				one := []*testInstance{p.a, p.b}[i%2]
				ids[i] = one.requestAPI(t, http.MethodPost, "/calls", body, withHeader("Idempotency-Key", key)).wantStatus(t, 201).successData(t).textAt("id")
			})
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("one key booked %q", ids)
				break
			}
		}
	}
	if n := p.server.Run(t, "SELECT count(*) FROM calls"); n != "3" {
		t.Errorf("3 keys booked %s calls", n)
	}
}

// checkOneAtATime books calls on both appliances in turns, and hangs running calls up from the appliance that does not
// run them. The test fails when two calls run at once.
func checkOneAtATime(t *testing.T, p appliancePair, numbers ...string) {
	var ids []string
	for i, number := range numbers {
		one := []*testInstance{p.a, p.b}[i%2]
		ids = append(ids, one.bookCall(t, number, "restaurant_order", nil).textAt("id"))
	}
	these := "SELECT id FROM calls WHERE id IN ('" + strings.Join(ids, "','") + "') AND status IN "
	begun := map[string]bool{}
	for until := time.Now().Add(conversation); p.server.Run(t, these+"('scheduled', 'dialing', 'in_progress')") != ""; {
		onLine := strings.Fields(p.server.Run(t, these+"('dialing', 'in_progress')"))
		switch {
		case len(onLine) > 1:
			t.Fatalf("%q are on a line at once", onLine)
		case time.Now().After(until):
			t.Fatalf("after %v %d of %d calls have been on a line", conversation, len(begun), len(ids))
		case len(onLine) == 1:
			begun[onLine[0]] = true
			_, other := p.ownerOf(t, onLine[0])
			other.requestAPI(t, http.MethodPost, "/calls/"+onLine[0]+"/hangup", nil) // refused if the call ends by itself at the same time
		}
	}
	if len(begun) != len(ids) {
		t.Errorf("%d of %d calls were on a line", len(begun), len(ids))
	}
}
