package whole_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// rules sets the dialling rules; what is left out goes back to its default.
func (a *instance) rules(t testing.TB, rules object) {
	t.Helper()
	a.ask(t, http.MethodPut, "/organization", rules).want(t, 200)
	if stopped, named := rules["kill_switch"]; named { // PUT leaves it as it is
		a.ask(t, http.MethodPatch, "/organization", object{"kill_switch": stopped}).want(t, 200)
	}
}

// today is the weekday on which a test runs, as calling hours name it.
func today() string { return strings.ToLower(time.Now().UTC().Weekday().String()) }

// tomorrowAt is tomorrow's time of the day, UTC.
func tomorrowAt(hour int) time.Time {
	return time.Now().UTC().Truncate(24 * time.Hour).Add(time.Duration(24+hour) * time.Hour)
}

// morning are calling hours that are closed today, and open from nine to ten on every other day.
func morning() object {
	hours := object{}
	for _, day := range []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"} {
		if day != today() {
			hours[day] = []object{{"from": "09:00", "to": "10:00"}}
		}
	}
	return hours
}

// TestStoppedAtRelease: what the organization's rules forbid is not dialled; it ends with its reason and is told of.
func TestStoppedAtRelease(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{args: []string{"--espeak", "none"}})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	a.ask(t, http.MethodPost, "/suppressions", object{"phone_number": simulated("00"), "reason": "asked"}).want(t, 201)
	a.ask(t, http.MethodPost, "/suppressions", object{
		"phone_number": simulated("01"), "until": soon(2 * time.Second),
	}).want(t, 201)
	a.rules(t, object{"attempts_per_day": 1, "blocked_prefixes": []string{"+9664"}})
	a.ask(t, http.MethodPost, "/scenarios", object{
		"id": "unspoken", "name": "x", "steps": []object{{"id": "a", "type": "say", "say": "شكرا جزيلا مع السلامة"}},
	}).want(t, 201)
	unspoken := a.book(t, simulated("02"), "unspoken", object{
		"scheduled_at": soon(3 * time.Second), "retry": object{"max_attempts": 3, "delay_minutes": []int{0}},
	}).text("id")
	a.ask(t, http.MethodPut, "/scenarios/unspoken", object{
		"id": "unspoken", "name": "x", "steps": []object{{"id": "a", "type": "say", "say": "سندباد يبحر في المحيط"}},
	}).want(t, 200)
	a.ask(t, http.MethodPost, "/calls", object{
		"phone_number": simulated("02"), "scenario_id": "unspoken",
	}).failure(t, 422, "validation_error")
	first := a.book(t, simulated("91"), "appointment_confirmation", nil).text("id")
	a.ended(t, first)
	for _, c := range []struct{ number, scenario, reason string }{
		{simulated("00"), "appointment_confirmation", "suppressed"},
		{"+966400000000", "appointment_confirmation", "blocked_destination"},
		{"+9669250000000", "appointment_confirmation", "blocked_destination"}, // premium, whatever the rules
		{simulated("91"), "appointment_confirmation", "attempt_limit"},
		{simulated("02"), "unspoken", "no_voice"},
	} {
		id := unspoken
		if c.scenario != "unspoken" {
			id = a.book(t, c.number, c.scenario, object{"retry": object{"max_attempts": 3, "delay_minutes": []int{0}}}).text("id")
		}
		got := a.ended(t, id)
		if got.text("status") != "failed" || got.text("failure", "reason") != c.reason ||
			got.at("started_at") != nil || got.at("recording_url") != nil || got.at("next_call_id") != nil {
			t.Errorf("%s: %v", c.reason, got)
		}
		if p := hook.await(t, id).object("payload"); p.text("type") != "failed" || p.text("failure", "reason") != c.reason {
			t.Errorf("%s is told as %v", c.reason, p)
		}
	}
	time.Sleep(2 * time.Second) // until the entry has run out
	if c := a.ended(t, a.book(t, simulated("01"), "appointment_confirmation", nil).text("id")); c.text("status") != "completed" {
		t.Errorf("after its suppression: %v", c)
	}
}

// TestKillSwitch: nothing is dialled while it is on, and all that waited is when it is off.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	a.rules(t, object{"kill_switch": true})
	id := a.book(t, simulated("91"), "appointment_confirmation", nil).text("id")
	time.Sleep(time.Second)
	if c := a.call(t, id); c.text("status") != "scheduled" {
		t.Errorf("with the switch on: %v", c)
	}
	a.rules(t, object{"kill_switch": false})
	if c := a.ended(t, id); c.text("status") != "user_rejected" {
		t.Errorf("with the switch off again: %v", c)
	}
}

// TestClosedHours: a booking in closed hours moves into the next open ones, in the organization's time zone; a
// reschedule into them is refused; what is found closed at its release waits.
func TestClosedHours(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	a.rules(t, object{"kill_switch": true})
	waits := a.book(t, simulated("91"), "appointment_confirmation", nil).text("id")
	a.rules(t, object{"calling_hours": morning(), "holidays": []string{}, "kill_switch": false})

	moved := a.until(t, waits, func(c object) bool { return c.text("scheduled_at") > c.text("created_at") })
	if moved.text("status") != "scheduled" || !timestamp(t, "scheduled_at", moved.text("scheduled_at")).Equal(tomorrowAt(9)) {
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
		got := a.book(t, simulated("00"), "appointment_confirmation", object{"scheduled_at": c.at})
		if at := timestamp(t, "scheduled_at", got.text("scheduled_at")); !at.Equal(c.want) || got.text("booking_outcome") != c.outcome {
			t.Errorf("%s: %s at %s, want %s at %s", name, got.text("booking_outcome"), at, c.outcome, c.want)
		}
	}
	path := "/calls/" + waits
	closed := object{"scheduled_at": tomorrowAt(12).Format(time.RFC3339)}
	a.ask(t, http.MethodPost, path+"/reschedule", closed).failure(t, 422, "validation_error")
	open := a.ask(t, http.MethodPost, path+"/reschedule", object{
		"scheduled_at": tomorrowAt(9).Add(time.Minute).Add(3 * time.Hour).In(time.FixedZone("", 3*3600)).Add(-3 * time.Hour).Format(time.RFC3339),
	}).want(t, 200).data(t)
	if open.text("booking_outcome") != "rescheduled" {
		t.Errorf("rescheduled: %v", open)
	}

	// Nine in Riyadh is six in Greenwich; a holiday has no hours at all.
	a.rules(t, object{
		"time_zone": "Asia/Riyadh", "calling_hours": morning(), "holidays": []string{tomorrowAt(0).Format(time.DateOnly)},
	})
	got := a.book(t, simulated("00"), "appointment_confirmation", object{"scheduled_at": tomorrowAt(1).Format(time.RFC3339)})
	if at := timestamp(t, "scheduled_at", got.text("scheduled_at")); !at.Equal(tomorrowAt(24 + 6)) {
		t.Errorf("in Riyadh: %s, want %s", at, tomorrowAt(30))
	}
}

// TestRetries: who is called again, after how long, and what ends a chain.
func TestRetries(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	retry := object{"retry": object{"max_attempts": 3, "delay_minutes": []int{90}}}
	for ending, again := range map[string]bool{
		"90": true, "91": false, "92": true, "93": true, "94": true, "96": true, "00": false, "97": true, // who stays silent is promised a call back
	} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			id := a.book(t, simulated(ending), "appointment_confirmation", retry).text("id")
			told := hook.await(t, id).object("payload")
			c := a.ended(t, id)
			for _, body := range []object{told, c} {
				if (body.at("next_call_id") != nil) != again || (body.at("next_retry_at") != nil) != again {
					t.Errorf("%v", body)
				}
			}
			if !again {
				return
			}
			next := a.call(t, told.text("next_call_id"))
			due := timestamp(t, "next_retry_at", told.text("next_retry_at"))
			if next.text("scheduled_at") != told.text("next_retry_at") || next.text("status") != "scheduled" ||
				next.text("booking_outcome") != "retry_booked" || next.at("attempt_number") != 2.0 ||
				due.Sub(timestamp(t, "ended_at", c.text("ended_at"))).Round(time.Minute) != 90*time.Minute {
				t.Errorf("the next attempt is %v", next)
			}
		})
	}
}

// TestChainThatIsCancelled: cancelling a retry ends its chain, and nothing is planned after it any more.
func TestChainThatIsCancelled(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	id := a.book(t, simulated("90"), "appointment_confirmation", object{
		"retry": object{"max_attempts": 4, "delay_minutes": []int{0, 60}}, "metadata": object{"crm": "7"},
	}).text("id")
	second := a.ended(t, a.ended(t, id).text("next_call_id"))
	third := second.text("next_call_id")
	cancelled := a.ask(t, http.MethodPost, "/calls/"+third+"/cancel", nil).want(t, 200).data(t)
	if cancelled.text("status") != "cancelled" || cancelled.text("previous_call_id") != second.text("id") ||
		cancelled.at("next_call_id") != nil || cancelled.text("metadata", "crm") != "7" || cancelled.at("attempt_number") != 3.0 {
		t.Errorf("cancelled %v", cancelled)
	}
	if after := a.call(t, second.text("id")); after.at("next_retry_at") != nil || after.text("next_call_id") != third {
		t.Errorf("the attempt before it %v", after)
	}
	chain := a.ask(t, http.MethodGet, "/calls?limit=200", nil).want(t, 200).object(t)["data"].([]any)
	numbers := make([]string, len(chain))
	for i, c := range chain {
		numbers[i] = fmt.Sprint(c.(map[string]any)["attempt_number"])
	}
	if !slices.Equal(numbers, []string{"3", "2", "1"}) { // newest first, and no fourth
		t.Errorf("attempts %v", numbers)
	}
}
