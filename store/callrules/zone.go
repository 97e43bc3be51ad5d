package callrules

import (
	"time"
	_ "time/tzdata" // the zones travel with the binary: a bare machine may have none
)

// loadLocation finds a zone by its IANA name; empty is UTC.
func loadLocation(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	return time.LoadLocation(name)
}

// timeZone is the organization's zone. One that is not known, which [CheckRules] lets nobody set, is UTC.
func (r CallRules) timeZone() *time.Location {
	if loc, err := loadLocation(r.TimeZone); err == nil {
		return loc
	}
	return time.UTC
}

// LocalMidnight is when the calendar day of at began in the organization's zone: what "today" means for its limits.
func LocalMidnight(rules CallRules, at time.Time) time.Time { return dayOf(at, rules.timeZone()) }

// Week is how far back an attempt counts for the weekly limit.
const Week = 7 * 24 * time.Hour

// dayOf is the first instant of at's calendar day in loc. Where daylight saving begins at midnight (Cairo, Beirut)
// that is 01:00; where it ends at midnight and the hour before comes twice, it is the one midnight after both.
func dayOf(at time.Time, loc *time.Location) time.Time {
	local := at.In(loc)
	for {
		day := atMidnight(local)
		from, _ := local.ZoneBounds()
		if from.IsZero() || !day.Before(from) {
			return day.In(loc)
		}
		before := from.Add(-1).In(loc)
		if dateOf(before) != dateOf(local) {
			return from.In(loc)
		}
		local = before
	}
}

// atMidnight is the 00:00 of local's day, had its offset from UTC been the same all day.
func atMidnight(local time.Time) time.Time {
	_, offset := local.Zone()
	y, m, d := local.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.FixedZone("", offset))
}

// calendarDate is a calendar day, in the form of [CallRules.Holidays].
type calendarDate string

func dateOf(t time.Time) calendarDate { return calendarDate(t.Format(time.DateOnly)) }
