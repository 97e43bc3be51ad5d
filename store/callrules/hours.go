package callrules

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// horizon limits the search for open hours: long enough for a year of holidays, and it detects hours of two calendars
// that never overlap.
const horizon = 400 * 24 * time.Hour

// NextOpen returns the first time, at or after at, at which the hours of both the organization and the scenario are
// open. A scenario without hours adds none; its zone applies to its hours only. False when they do not overlap within
// [horizon].
//
// A time is open when the local wall-clock time lies in a slot. Daylight saving: a slot within the hour that a zone
// skips in spring does not occur on that day, a slot that overlaps it is shorter, and a slot within the repeated hour
// in autumn is open both times.
func NextOpen(rules CallRules, scenario CallingHours, zone string, at time.Time) (time.Time, bool) {
	ours, known := rules.newCalendar()
	theirs, alsoKnown := scenarioCalendar(rules, scenario, zone)
	if !known || !alsoKnown {
		return time.Time{}, false
	}
	until := at.Add(horizon)
	for t := at; t.Before(until); {
		mine, ok := ours.nextOpen(t, until)
		if !ok {
			return time.Time{}, false
		}
		both, ok := theirs.nextOpen(mine, until)
		if !ok {
			return time.Time{}, false
		}
		if both.Equal(mine) {
			return both, true
		}
		t = both
	}
	return time.Time{}, false
}

// IsOpen reports whether calls are allowed at that time.
func IsOpen(rules CallRules, scenario CallingHours, zone string, at time.Time) bool {
	next, ok := NextOpen(rules, scenario, zone, at)
	return ok && next.Equal(at)
}

// hoursCalendar is one set of parsed hours in a zone.
type hoursCalendar struct {
	zone     *time.Location
	always   bool // no hours given: open except on holidays
	slots    [7][]timeSpan
	holidays []string
}

// timeSpan is a slot as time since midnight.
type timeSpan struct{ from, to time.Duration }

func (r CallRules) newCalendar() (hoursCalendar, bool) {
	c, known := newCalendar(r.CallingHours, r.TimeZone)
	c.holidays = r.Holidays
	return c, known
}

func scenarioCalendar(rules CallRules, hours CallingHours, zone string) (hoursCalendar, bool) {
	if zone == "" {
		zone = rules.TimeZone
	}
	return newCalendar(hours, zone)
}

// newCalendar parses hours; false for an unknown zone, because no one may be called when the local time is unknown.
func newCalendar(hours CallingHours, zone string) (hoursCalendar, bool) {
	c := hoursCalendar{zone: time.UTC, always: len(hours) == 0}
	loc, err := loadLocation(zone)
	if err != nil {
		return c, c.always
	}
	c.zone = loc
	for i, day := range AllWeekdays() {
		for _, slot := range hours[day] {
			if s, ok := slot.toSpan(); ok {
				c.slots[i] = append(c.slots[i], s)
			}
		}
		slices.SortFunc(c.slots[i], func(a, b timeSpan) int { return int(a.from - b.from) })
	}
	return c, true
}

// nextOpen returns the first open time from t on and before until. It searches intervals of constant UTC offset, within
// which wall-clock and absolute time advance together.
func (c hoursCalendar) nextOpen(t, until time.Time) (time.Time, bool) {
	for t.Before(until) {
		_, end := t.In(c.zone).ZoneBounds()
		if end.IsZero() || end.After(until) {
			end = until
		}
		if open, ok := c.nextWithin(t, end); ok {
			return open, true
		}
		t = end
	}
	return time.Time{}, false
}

// nextWithin is nextOpen within an interval of constant UTC offset.
func (c hoursCalendar) nextWithin(t, end time.Time) (time.Time, bool) {
	for midnight := atMidnight(t.In(c.zone)); midnight.Before(end); midnight = midnight.Add(24 * time.Hour) {
		for _, s := range c.slotsOn(midnight) {
			from, to := midnight.Add(s.from), midnight.Add(s.to)
			if !to.After(t) {
				continue
			}
			if from.Before(t) {
				return t, true
			}
			return from, from.Before(end)
		}
	}
	return time.Time{}, false
}

// slotsOn returns the slots of the day that begins at midnight, in order.
func (c hoursCalendar) slotsOn(midnight time.Time) []timeSpan {
	switch {
	case len(c.holidays) > 0 && slices.Contains(c.holidays, string(dateOf(midnight))):
		return nil
	case c.always:
		return []timeSpan{{0, 24 * time.Hour}}
	default:
		return c.slots[midnight.Weekday()]
	}
}

// AllWeekdays lists the names of the days in the order of [time.Weekday].
func AllWeekdays() []Weekday {
	return []Weekday{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
}

// toSpan parses a slot; false for a malformed one.
func (s HourSlot) toSpan() (timeSpan, bool) {
	from, ok := parseClock(s.From)
	to, fine := parseClock(s.To)
	return timeSpan{from, to}, ok && fine && from < to
}

// parseClock parses "HH:MM", 00:00 to 24:00.
func parseClock(s string) (time.Duration, bool) {
	hh, mm, found := strings.Cut(s, ":")
	if !found || len(hh) != 2 || len(mm) != 2 {
		return 0, false
	}
	h, err := strconv.ParseUint(hh, 10, 8)
	m, bad := strconv.ParseUint(mm, 10, 8)
	if err != nil || bad != nil || m > 59 || h > 24 || h == 24 && m > 0 {
		return 0, false
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute, true
}
