package callrules

import (
	"time"
	_ "time/tzdata" // embedded zone database: the machine may have none
)

// loadLocation loads a zone by its IANA name; empty is UTC.
func loadLocation(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	return time.LoadLocation(name)
}

// timeZone returns the organization's zone; UTC for an unknown one, which [CheckRules] refuses.
func (r CallRules) timeZone() *time.Location {
	if loc, err := loadLocation(r.TimeZone); err == nil {
		return loc
	}
	return time.UTC
}

// LocalMidnight returns when the calendar day of at began in the organization's zone: the start of "today" for its
// limits.
func LocalMidnight(rules CallRules, at time.Time) time.Time { return StartOfDay(at, rules.timeZone()) }

// Week is the window of the weekly attempt limit.
const Week = 7 * 24 * time.Hour

// StartOfDay returns the first instant of at's calendar day in loc. Where daylight saving begins at midnight (Cairo,
// Beirut) that is 01:00; where it ends at midnight and the hour before repeats, it is the midnight after both.
func StartOfDay(at time.Time, loc *time.Location) time.Time {
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

// atMidnight returns 00:00 of local's day, as if the UTC offset were constant all day.
func atMidnight(local time.Time) time.Time {
	_, offset := local.Zone()
	y, m, d := local.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.FixedZone("", offset))
}

// calendarDate is a calendar day, in the format of [CallRules.Holidays].
type calendarDate string

func dateOf(t time.Time) calendarDate { return calendarDate(t.Format(time.DateOnly)) }
