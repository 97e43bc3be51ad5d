package whole_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// setRules sets the dialling rules; absent fields get their defaults.
func (a *testInstance) setRules(t testing.TB, rules jsonObject) {
	t.Helper()
	stopped, named := rules["kill_switch"]
	rules = maps.Clone(rules)
	delete(rules, "kill_switch") // PATCH alone changes it
	a.requestAPI(t, http.MethodPut, "/organization", rules).wantStatus(t, 200)
	if named {
		a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"kill_switch": stopped}).wantStatus(t, 200)
	}
}

// currentWeekday returns today's weekday as a key of calling hours.
func currentWeekday() string { return strings.ToLower(time.Now().UTC().Weekday().String()) }

// tomorrowAt returns an hour of tomorrow, UTC.
func tomorrowAt(hour int) time.Time {
	return time.Now().UTC().Truncate(24 * time.Hour).Add(time.Duration(24+hour) * time.Hour)
}

// morningHours returns calling hours that are closed today and open from nine to ten on all other days.
func morningHours() jsonObject {
	hours := jsonObject{}
	for _, day := range []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"} {
		if day != currentWeekday() {
			hours[day] = []jsonObject{{"from": "09:00", "to": "10:00"}}
		}
	}
	return hours
}

// TestStoppedAtRelease checks that a call that the organization's rules forbid at its dial time is not dialled, ends
// with its reason, and is notified.
func TestStoppedAtRelease(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{args: []string{"--espeak", "none"}})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	a.requestAPI(t, http.MethodPost, "/suppressions", jsonObject{"phone_number": simulatedNumber("00"), "reason": "asked"}).wantStatus(t, 201)
	a.requestAPI(t, http.MethodPost, "/suppressions", jsonObject{
		"phone_number": simulatedNumber("01"), "until": timeFromNow(2 * time.Second),
	}).wantStatus(t, 201)
	a.setRules(t, jsonObject{"attempts_per_day": 1, "blocked_prefixes": []string{"+9664"}})
	a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{
		"id": "unspoken", "name": "x", "steps": []jsonObject{{"id": "a", "type": "say", "say": "شكرا جزيلا مع السلامة"}},
	}).wantStatus(t, 201)
	unspoken := a.bookCall(t, simulatedNumber("02"), "unspoken", jsonObject{
		"scheduled_at": timeFromNow(3 * time.Second), "retry": jsonObject{"max_attempts": 3, "delay_minutes": []int{0}},
	}).textAt("id")
	a.requestAPI(t, http.MethodPut, "/scenarios/unspoken", jsonObject{
		"id": "unspoken", "name": "x", "steps": []jsonObject{{"id": "a", "type": "say", "say": "سندباد يبحر في المحيط"}},
		"update_booked_calls": true,
	}).wantStatus(t, 200)
	a.requestAPI(t, http.MethodPost, "/calls", jsonObject{
		"phone_number": simulatedNumber("02"), "scenario_id": "unspoken",
	}).wantFailure(t, 422, "validation_error")
	first := a.bookCall(t, simulatedNumber("91"), "appointment_confirmation", nil).textAt("id")
	a.awaitEnded(t, first)
	for _, c := range []struct{ number, scenario, reason string }{
		{simulatedNumber("00"), "appointment_confirmation", "suppressed"},
		{"+966400000000", "appointment_confirmation", "blocked_destination"},
		{"+9669250000000", "appointment_confirmation", "blocked_destination"}, // premium rate: forbidden without any rule
		{simulatedNumber("91"), "appointment_confirmation", "attempt_limit"},
		{simulatedNumber("02"), "unspoken", "no_voice"},
	} {
		id := unspoken
		if c.scenario != "unspoken" {
			id = a.bookCall(t, c.number, c.scenario, jsonObject{"retry": jsonObject{"max_attempts": 3, "delay_minutes": []int{0}}}).textAt("id")
		}
		got := a.awaitEnded(t, id)
		if got.textAt("status") != "failed" || got.textAt("failure", "reason") != c.reason ||
			got.valueAt("started_at") != nil || got.valueAt("recording_url") != nil || got.valueAt("next_call_id") != nil {
			t.Errorf("%s: %v", c.reason, got)
		}
		if p := hook.awaitNotification(t, id).objectAt("payload"); p.textAt("type") != "failed" || p.textAt("failure", "reason") != c.reason {
			t.Errorf("%s is told as %v", c.reason, p)
		}
	}
	time.Sleep(2 * time.Second) // until the entry has expired
	if c := a.awaitEnded(t, a.bookCall(t, simulatedNumber("01"), "appointment_confirmation", nil).textAt("id")); c.textAt("status") != "completed" {
		t.Errorf("after its suppression: %v", c)
	}
}

// TestKillSwitch checks that no call is dialled while the kill switch is on, and that all due calls are dialled when it
// is off.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	a.setRules(t, jsonObject{"kill_switch": true})
	id := a.bookCall(t, simulatedNumber("91"), "appointment_confirmation", nil).textAt("id")
	time.Sleep(time.Second)
	if c := a.fetchCall(t, id); c.textAt("status") != "scheduled" {
		t.Errorf("with the switch on: %v", c)
	}
	a.setRules(t, jsonObject{"kill_switch": false})
	if c := a.awaitEnded(t, id); c.textAt("status") != "user_rejected" {
		t.Errorf("with the switch off again: %v", c)
	}
}

// TestClosedHours checks that a booking in closed hours moves into the next open ones in the organization's time zone,
// that a reschedule into them is refused, and that a call that is due in closed hours waits.
func TestClosedHours(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	a.setRules(t, jsonObject{"kill_switch": true})
	waits := a.bookCall(t, simulatedNumber("91"), "appointment_confirmation", nil).textAt("id")
	a.setRules(t, jsonObject{"calling_hours": morningHours(), "holidays": []string{}, "kill_switch": false})

	moved := a.awaitCall(t, waits, func(c jsonObject) bool { return c.textAt("scheduled_at") > c.textAt("created_at") })
	if moved.textAt("status") != "scheduled" || !checkTimestamp(t, "scheduled_at", moved.textAt("scheduled_at")).Equal(tomorrowAt(9)) {
		t.Errorf("found closed at its release: %v", moved)
	}
	for name, c := range map[string]struct {
		at      any
		want    time.Time
		outcome string
	}{
		"now":      {nil, tomorrowAt(9), "moved_to_calling_hours"},
		"too late": {tomorrowAt(10).Format(time.RFC3339), tomorrowAt(33), "moved_to_calling_hours"},
		"open":     {tomorrowAt(9).Add(30 * time.Minute).Format(time.RFC3339), tomorrowAt(9).Add(30 * time.Minute), "booked"},
	} {
		got := a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", jsonObject{"scheduled_at": c.at})
		if at := checkTimestamp(t, "scheduled_at", got.textAt("scheduled_at")); !at.Equal(c.want) || got.textAt("booking_outcome") != c.outcome {
			t.Errorf("%s: %s at %s, want %s at %s", name, got.textAt("booking_outcome"), at, c.outcome, c.want)
		}
	}
	path := "/calls/" + waits
	closed := jsonObject{"scheduled_at": tomorrowAt(12).Format(time.RFC3339)}
	a.requestAPI(t, http.MethodPost, path+"/reschedule", closed).wantFailure(t, 422, "validation_error")
	open := a.requestAPI(t, http.MethodPost, path+"/reschedule", jsonObject{
		"scheduled_at": tomorrowAt(9).Add(time.Minute).Add(3 * time.Hour).In(time.FixedZone("", 3*3600)).Add(-3 * time.Hour).Format(time.RFC3339),
	}).wantStatus(t, 200).successData(t)
	if open.textAt("booking_outcome") != "rescheduled" {
		t.Errorf("rescheduled: %v", open)
	}

	// 09:00 in Riyadh is 06:00 UTC; a holiday has no calling hours.
	a.setRules(t, jsonObject{
		"time_zone": "Asia/Riyadh", "calling_hours": morningHours(), "holidays": []string{tomorrowAt(0).Format(time.DateOnly)},
	})
	got := a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", jsonObject{"scheduled_at": tomorrowAt(1).Format(time.RFC3339)})
	if at := checkTimestamp(t, "scheduled_at", got.textAt("scheduled_at")); !at.Equal(tomorrowAt(24 + 6)) {
		t.Errorf("in Riyadh: %s, want %s", at, tomorrowAt(30))
	}
}

// TestRetries checks which outcomes are retried, after how long, and what ends a retry chain.
func TestRetries(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	retry := jsonObject{"retry": jsonObject{"max_attempts": 3, "delay_minutes": []int{90}}}
	for ending, again := range map[string]bool{
		"90": true, "91": false, "92": true, "93": true, "94": true, "96": true, "00": false, "97": true, // silent callees are promised a call back
	} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			id := a.bookCall(t, simulatedNumber(ending), "appointment_confirmation", retry).textAt("id")
			told := hook.awaitNotification(t, id).objectAt("payload")
			c := a.awaitEnded(t, id)
			for _, body := range []jsonObject{told, c} {
				if (body.valueAt("next_call_id") != nil) != again || (body.valueAt("next_retry_at") != nil) != again {
					t.Errorf("%v", body)
				}
			}
			if !again {
				return
			}
			next := a.fetchCall(t, told.textAt("next_call_id"))
			due := checkTimestamp(t, "next_retry_at", told.textAt("next_retry_at"))
			if next.textAt("scheduled_at") != told.textAt("next_retry_at") || next.textAt("status") != "scheduled" ||
				next.textAt("booking_outcome") != "retry_booked" || next.valueAt("attempt_number") != 2.0 ||
				due.Sub(checkTimestamp(t, "ended_at", c.textAt("ended_at"))).Round(time.Minute) != 90*time.Minute {
				t.Errorf("the next attempt is %v", next)
			}
		})
	}
}

// TestChainThatIsCancelled checks that cancelling a retry ends its chain.
func TestChainThatIsCancelled(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	id := a.bookCall(t, simulatedNumber("90"), "appointment_confirmation", jsonObject{
		"retry": jsonObject{"max_attempts": 4, "delay_minutes": []int{0, 60}}, "metadata": jsonObject{"crm": "7"},
	}).textAt("id")
	second := a.awaitEnded(t, a.awaitEnded(t, id).textAt("next_call_id"))
	third := second.textAt("next_call_id")
	cancelled := a.requestAPI(t, http.MethodPost, "/calls/"+third+"/cancel", nil).wantStatus(t, 200).successData(t)
	if cancelled.textAt("status") != "cancelled" || cancelled.textAt("previous_call_id") != second.textAt("id") ||
		cancelled.valueAt("next_call_id") != nil || cancelled.textAt("metadata", "crm") != "7" || cancelled.valueAt("attempt_number") != 3.0 {
		t.Errorf("cancelled %v", cancelled)
	}
	if after := a.fetchCall(t, second.textAt("id")); after.valueAt("next_retry_at") != nil || after.textAt("next_call_id") != third {
		t.Errorf("the attempt before it %v", after)
	}
	chain := a.requestAPI(t, http.MethodGet, "/calls?limit=200", nil).wantStatus(t, 200).jsonBody(t)["data"].([]any)
	numbers := make([]string, len(chain))
	for i, c := range chain {
		numbers[i] = fmt.Sprint(c.(map[string]any)["attempt_number"])
	}
	if !slices.Equal(numbers, []string{"3", "2", "1"}) { // newest first, and no fourth
		t.Errorf("attempts %v", numbers)
	}
}
