package callrules_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/store/callrules"
)

// everyDay returns hours with the same slots on every day.
func everyDay(slots ...callrules.HourSlot) callrules.CallingHours {
	h := callrules.CallingHours{}
	for _, day := range callrules.AllWeekdays() {
		h[day] = slots
	}
	return h
}

func timeAt(t testing.TB, rfc3339 string) time.Time {
	t.Helper()
	got, err := time.Parse(time.RFC3339, rfc3339)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The offsets in want distinguish two equal wall-clock times.
func TestNextOpen(t *testing.T) {
	t.Parallel()
	office := everyDay(callrules.HourSlot{From: "09:00", To: "18:00"})
	night := everyDay(callrules.HourSlot{From: "00:00", To: "00:30"})
	weekdays := callrules.CallingHours{
		"sunday": {{From: "09:00", To: "12:00"}, {From: "16:00", To: "24:00"}}, "monday": {{From: "00:00", To: "02:00"}},
	}
	for name, c := range map[string]struct {
		zone     string
		hours    callrules.CallingHours
		holidays []string
		at, want string // empty want: never
	}{
		"no hours":                 {"Asia/Riyadh", nil, nil, "2026-11-21T03:00:00+03:00", "2026-11-21T03:00:00+03:00"},
		"empty hours":              {"Asia/Riyadh", callrules.CallingHours{}, nil, "2026-11-21T03:00:00+03:00", "2026-11-21T03:00:00+03:00"},
		"no hours on a holiday":    {"Asia/Riyadh", nil, []string{"2026-11-21"}, "2026-11-21T03:00:00+03:00", "2026-11-22T00:00:00+03:00"},
		"open":                     {"Asia/Riyadh", office, nil, "2026-11-21T09:00:00+03:00", "2026-11-21T09:00:00+03:00"},
		"open to the last instant": {"Asia/Riyadh", office, nil, "2026-11-21T17:59:59.999+03:00", "2026-11-21T17:59:59.999+03:00"},
		"closed at the end":        {"Asia/Riyadh", office, nil, "2026-11-21T18:00:00+03:00", "2026-11-22T09:00:00+03:00"},
		"before the day":           {"Asia/Riyadh", office, nil, "2026-11-21T05:00:00Z", "2026-11-21T09:00:00+03:00"},
		"given in another zone":    {"Asia/Riyadh", office, nil, "2026-11-20T22:30:00-08:00", "2026-11-21T09:30:00+03:00"},
		"holidays in a row":        {"Asia/Riyadh", office, []string{"2026-11-22", "2026-11-21"}, "2026-11-21T10:00:00+03:00", "2026-11-23T09:00:00+03:00"},
		"between two slots":        {"Asia/Riyadh", weekdays, nil, "2026-11-22T12:00:00+03:00", "2026-11-22T16:00:00+03:00"},
		"over midnight":            {"Asia/Riyadh", weekdays, nil, "2026-11-22T23:59:59+03:00", "2026-11-22T23:59:59+03:00"},
		"after midnight":           {"Asia/Riyadh", weekdays, nil, "2026-11-23T00:00:00+03:00", "2026-11-23T00:00:00+03:00"},
		"to next week":             {"Asia/Riyadh", weekdays, nil, "2026-11-23T02:00:00+03:00", "2026-11-29T09:00:00+03:00"},
		"no slot at all":           {"Asia/Riyadh", callrules.CallingHours{"sunday": nil}, nil, "2026-11-23T02:00:00+03:00", ""},
		"unknown zone":             {"Asia/Atlantis", office, nil, "2026-11-21T10:00:00Z", ""},
		"no zone is UTC":           {"", office, nil, "2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"},

		// Riyadh has no daylight saving: its offset is the same in July.
		"Riyadh in summer": {"Asia/Riyadh", office, nil, "2026-07-01T00:00:00Z", "2026-07-01T06:00:00Z"},

		// London: 29 March 2026 01:00 → 02:00, 25 October 02:00 → 01:00.
		"London, 09:00 before":     {"Europe/London", office, nil, "2026-03-28T03:00:00Z", "2026-03-28T09:00:00Z"},
		"London, 09:00 after":      {"Europe/London", office, nil, "2026-03-28T18:00:00Z", "2026-03-29T08:00:00Z"},
		"London, slot is skipped":  {"Europe/London", everyDay(callrules.HourSlot{From: "01:15", To: "01:45"}), nil, "2026-03-29T00:00:00Z", "2026-03-30T00:15:00Z"},
		"London, slot is cut":      {"Europe/London", everyDay(callrules.HourSlot{From: "01:30", To: "02:30"}), nil, "2026-03-29T00:30:00Z", "2026-03-29T02:00:00+01:00"},
		"London, first of twice":   {"Europe/London", everyDay(callrules.HourSlot{From: "01:15", To: "01:45"}), nil, "2026-10-25T00:50:00+01:00", "2026-10-25T01:15:00+01:00"},
		"London, second of twice":  {"Europe/London", everyDay(callrules.HourSlot{From: "01:15", To: "01:45"}), nil, "2026-10-25T01:50:00+01:00", "2026-10-25T01:15:00Z"},
		"London, after both":       {"Europe/London", everyDay(callrules.HourSlot{From: "01:15", To: "01:45"}), nil, "2026-10-25T01:50:00Z", "2026-10-26T01:15:00Z"},
		"London, 09:00 after both": {"Europe/London", office, nil, "2026-10-24T20:00:00Z", "2026-10-25T09:00:00Z"},

		// Cairo: Friday 24 April 2026 00:00 → 01:00; Thursday 29 October 24:00 → 23:00.
		"Cairo, midnight is skipped": {"Africa/Cairo", night, nil, "2026-04-23T23:00:00+02:00", "2026-04-25T00:00:00+03:00"},
		"Cairo, hour before twice":   {"Africa/Cairo", everyDay(callrules.HourSlot{From: "23:30", To: "24:00"}), nil, "2026-10-29T23:10:00+02:00", "2026-10-29T23:30:00+02:00"},
		"Cairo, slot comes twice":    {"Africa/Cairo", everyDay(callrules.HourSlot{From: "23:15", To: "23:30"}), nil, "2026-10-29T23:45:00+03:00", "2026-10-29T23:15:00+02:00"},
		"Cairo, holiday from 01:00":  {"Africa/Cairo", nil, []string{"2026-04-23"}, "2026-04-23T12:00:00+02:00", "2026-04-24T01:00:00+03:00"},

		// Beirut: Sunday 29 March 2026 00:00 → 01:00; Sunday 25 October 00:00 → 23:00 on Saturday.
		"Beirut, midnight is skipped": {"Asia/Beirut", night, nil, "2026-03-28T12:00:00+02:00", "2026-03-30T00:00:00+03:00"},
		"Beirut, 09:00 after":         {"Asia/Beirut", office, nil, "2026-03-28T22:00:00+02:00", "2026-03-29T09:00:00+03:00"},
		"Beirut, midnight, once":      {"Asia/Beirut", night, nil, "2026-10-24T23:30:00+03:00", "2026-10-25T00:00:00+02:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := callrules.CallRules{TimeZone: c.zone, CallingHours: c.hours, Holidays: c.holidays}
			got, ok := callrules.NextOpen(rules, nil, "", timeAt(t, c.at))
			if ok != (c.want != "") || ok && !got.Equal(timeAt(t, c.want)) {
				t.Errorf("after %s it opens at %s (%t), want %s", c.at, got, ok, c.want)
			}
		})
	}
}

// Morocco turns its clocks back for Ramadan, on dates in the zone database: 09:00 stays 09:00 around every change.
func TestNextOpenAtEveryChange(t *testing.T) {
	t.Parallel()
	rules := callrules.CallRules{CallingHours: everyDay(callrules.HourSlot{From: "09:00", To: "18:00"})}
	for zone, atLeast := range map[string]int{
		"Africa/Casablanca": 4, "Africa/Cairo": 4, "Asia/Beirut": 4, "Europe/London": 4, "Asia/Riyadh": 0, "Asia/Dubai": 0,
	} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		rules.TimeZone = zone
		changes := 0
		for day := time.Date(2026, 1, 1, 20, 0, 0, 0, loc); day.Year() < 2028; day = day.Add(24 * time.Hour) {
			_, before := day.Zone()
			next, ok := callrules.NextOpen(rules, nil, "", day)
			_, after := next.In(loc).Zone()
			if before != after {
				changes++
			}
			if got := next.In(loc).Format("15:04:05"); !ok || got != "09:00:00" || next.Sub(day) > 14*time.Hour {
				t.Errorf("%s: after %s it opens at %s", zone, day, next.In(loc))
			}
		}
		if changes < atLeast || atLeast == 0 && changes > 0 {
			t.Errorf("%s changed its clocks %d times in two years", zone, changes)
		}
	}
}

func TestNextOpenOfTwoCalendars(t *testing.T) {
	t.Parallel()
	rules := callrules.CallRules{
		TimeZone: "Asia/Riyadh", CallingHours: everyDay(callrules.HourSlot{From: "09:00", To: "18:00"}), Holidays: []string{"2026-11-23"},
	}
	for name, c := range map[string]struct {
		hours    callrules.CallingHours
		zone     string
		at, want string
	}{
		"none of its own":       {nil, "Europe/London", "2026-11-21T08:00:00+03:00", "2026-11-21T09:00:00+03:00"},
		"in ours":               {everyDay(callrules.HourSlot{From: "17:00", To: "20:00"}), "", "2026-11-21T08:00:00+03:00", "2026-11-21T17:00:00+03:00"},
		"past both":             {everyDay(callrules.HourSlot{From: "17:00", To: "20:00"}), "", "2026-11-21T18:30:00+03:00", "2026-11-22T17:00:00+03:00"},
		"in its own zone":       {everyDay(callrules.HourSlot{From: "09:00", To: "10:00"}), "Europe/London", "2026-11-21T08:00:00+03:00", "2026-11-21T12:00:00+03:00"},
		"over our holiday":      {callrules.CallingHours{"monday": {{From: "00:00", To: "24:00"}}}, "", "2026-11-22T10:00:00+03:00", "2026-11-30T09:00:00+03:00"},
		"they never meet":       {everyDay(callrules.HourSlot{From: "19:00", To: "20:00"}), "", "2026-11-22T10:00:00+03:00", ""},
		"its zone is not known": {everyDay(callrules.HourSlot{From: "09:00", To: "20:00"}), "Nowhere", "2026-11-22T10:00:00+03:00", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := callrules.NextOpen(rules, c.hours, c.zone, timeAt(t, c.at))
			if ok != (c.want != "") || ok && !got.Equal(timeAt(t, c.want)) {
				t.Errorf("after %s it opens at %s (%t), want %s", c.at, got, ok, c.want)
			}
			if ok && !callrules.IsOpen(rules, c.hours, c.zone, got) {
				t.Errorf("it is not open at %s", got)
			}
		})
	}
}

// onTheWall is an independent definition of open hours: the wall clock shows a time within a slot.
func onTheWall(h callrules.CallingHours, zone *time.Location, holidays []string, at time.Time) bool {
	local := at.In(zone)
	if slices.Contains(holidays, local.Format(time.DateOnly)) {
		return false
	}
	if len(h) == 0 {
		return true
	}
	clock := local.Format("15:04")
	return slices.ContainsFunc(h[callrules.AllWeekdays()[local.Weekday()]], func(s callrules.HourSlot) bool {
		return s.From <= clock && clock < s.To
	})
}

// TestNextOpenIsTheFirst draws hours, zones and a time, mostly near a change of the clocks: the time found is open, and
// no minute before it is.
func TestNextOpenIsTheFirst(t *testing.T) {
	t.Parallel()
	zones := []string{"", "Asia/Riyadh", "Africa/Cairo", "Asia/Beirut", "Africa/Casablanca", "Europe/London", "Asia/Kathmandu"}
	near := []string{ // mornings before a change of the clocks
		"2026-02-14T12:00:00Z", "2026-03-21T12:00:00Z", "2026-03-28T12:00:00Z", "2026-04-23T12:00:00Z",
		"2026-10-24T12:00:00Z", "2026-10-29T12:00:00Z", "2026-12-31T12:00:00Z",
	}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		rules := callrules.CallRules{TimeZone: zone, CallingHours: drawHours().Draw(t, "hours")}
		if rapid.Bool().Draw(t, "with holidays") {
			rules.Holidays = []string{"2026-03-29", "2026-04-24", "2026-10-30"}
		}
		theirs := drawHours().Draw(t, "scenario's hours")
		theirZone := rapid.SampledFrom(zones).Draw(t, "scenario's zone")
		begin, err := time.Parse(time.RFC3339, rapid.SampledFrom(near).Draw(t, "near"))
		if err != nil {
			t.Fatal(err)
		}
		begin = begin.Add(time.Duration(rapid.IntRange(0, 2*24*60).Draw(t, "minutes")) * time.Minute)
		if theirZone == "" {
			theirZone = zone
		}
		ourLoc, err := time.LoadLocation(zone)
		theirLoc, bad := time.LoadLocation(theirZone)
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
		open := func(at time.Time) bool {
			return onTheWall(rules.CallingHours, ourLoc, rules.Holidays, at) && onTheWall(theirs, theirLoc, nil, at)
		}
		next, ok := callrules.NextOpen(rules, theirs, theirZone, begin)
		if ok && !open(next) {
			t.Fatalf("it is closed at %s", next)
		}
		end := begin.Add(8 * 24 * time.Hour)
		if ok && next.Before(end) {
			end = next
		}
		for at := begin; at.Before(end); at = at.Add(time.Minute) {
			if open(at) {
				t.Fatalf("it opens at %s already, not only at %s (%t)", at, next, ok)
			}
		}
	})
}

// drawHours draws no hours, or up to three slots on some days.
func drawHours() *rapid.Generator[callrules.CallingHours] {
	minute := func(t *rapid.T, name string, from, to int) int { return rapid.IntRange(from, to).Draw(t, name) }
	show := func(m int) string {
		return time.Date(0, 1, 1, 0, m, 0, 0, time.UTC).Format("15:04")
	}
	return rapid.Custom(func(t *rapid.T) callrules.CallingHours {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		h := callrules.CallingHours{"friday": nil}
		for _, day := range rapid.SliceOfDistinct(rapid.SampledFrom(callrules.AllWeekdays()), rapid.ID).Draw(t, "days") {
			for range rapid.IntRange(1, 3).Draw(t, "slots") {
				from := minute(t, "from", 0, 24*60-1)
				to := minute(t, "to", from+1, 24*60)
				slot := callrules.HourSlot{From: show(from), To: show(to)}
				if to == 24*60 {
					slot.To = "24:00"
				}
				h[day] = append(h[day], slot)
			}
		}
		return h
	})
}
