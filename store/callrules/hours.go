package callrules

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// horizon bounds the search for open hours: a year of holidays is passed over, and hours of two calendars that never
// meet are told from those that do.
const horizon = 400 * 24 * time.Hour

// NextOpen is the first time from at on at which both the organization's and the scenario's hours are open; at itself
// if they are. A scenario without hours adds none; its zone counts for its hours only. False when they do not meet in
// more than a year.
//
// A time is open when the clock on the wall shows one of a slot. So a slot within the hour that a zone skips in spring
// never comes on that day, one that reaches into it is shorter, and one within the hour that comes twice in autumn is
// open both times.
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

// IsOpen says whether a person may be called at that time.
func IsOpen(rules CallRules, scenario CallingHours, zone string, at time.Time) bool {
	next, ok := NextOpen(rules, scenario, zone, at)
	return ok && next.Equal(at)
}

// hoursCalendar is one set of hours in a zone, ready to be asked.
type hoursCalendar struct {
	zone     *time.Location
	always   bool // no hours given: open but on holidays
	slots    [7][]timeSpan
	holidays []string
}

// timeSpan is a slot in the time since midnight.
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

// newCalendar is false for hours in a zone that is not known: nobody is called when it can't be told what time it is
// where they live.
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

// nextOpen is the first open time from t on and before until. It goes through stretches in which the zone's offset from
// UTC stays the same, so that within one the clock on the wall and the true one run alike.
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

// nextWithin is next in a stretch of one offset.
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

// slotsOn are the slots of the day that begins at midnight, in order.
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

// AllWeekdays lists the days' names in the order of [time.Weekday].
func AllWeekdays() []Weekday {
	return []Weekday{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
}

// toSpan reads a slot; false for one that is none.
func (s HourSlot) toSpan() (timeSpan, bool) {
	from, ok := parseClock(s.From)
	to, fine := parseClock(s.To)
	return timeSpan{from, to}, ok && fine && from < to
}

// parseClock reads "HH:MM", 00:00 to 24:00.
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
