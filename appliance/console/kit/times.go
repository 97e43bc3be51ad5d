package kit

import "time"

// DayLayout is the layout of a date field.
const DayLayout = time.DateOnly

// DayStart returns the beginning of a day, or of the day that is later days after it; the zero time for an invalid day.
func DayStart(day string, zone *time.Location, later int) time.Time {
	t, err := time.Parse(DayLayout, day)
	if err != nil {
		return time.Time{}
	}
	return StartOfDay(t.Year(), t.Month(), t.Day()+later, zone)
}

// LaterTime returns the later of two times.
func LaterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// DatetimeLocal is the layout of a datetime-local field.
const DatetimeLocal = "2006-01-02T15:04"

// ParseFormTime parses a time in the organization's time zone, or one with an explicit offset.
func ParseFormTime(typed string, zone *time.Location) (time.Time, bool) {
	typed = WesternDigits(typed)
	if t, err := time.Parse(time.RFC3339, typed); err == nil {
		return t, true
	}
	for _, form := range []string{DatetimeLocal, "2006-01-02 15:04", DatetimeLocal + ":05", "2006-01-02 15:04:05"} {
		if t, err := time.ParseInLocation(form, typed, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// ValidDay returns a typed day as it is if it is a date (2006-01-02), otherwise nothing.
func ValidDay(typed string) string {
	if _, err := time.Parse(DayLayout, typed); err != nil {
		return ""
	}
	return typed
}
