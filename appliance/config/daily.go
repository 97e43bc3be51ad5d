package config

import (
	"fmt"
	"strings"
	"time"
)

// DailyTime is a time of day for a daily task, "02:30", or "none". It is in the machine's local time.
type DailyTime string

// never is the DailyTime of a disabled task.
const never = "none"

// clock is the layout of a DailyTime.
const clock = "15:04"

// UnmarshalText parses hours and minutes, or none.
func (d *DailyTime) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if s == never {
		*d = never
		return nil
	}
	at, err := time.Parse(clock, s)
	if err != nil {
		return fmt.Errorf("%q is not a time of day (such as 02:30) or none", text)
	}
	*d = DailyTime(at.Format(clock))
	return nil
}

// Next returns the first such time after t, in t's time zone; false for none. On a day on which daylight saving skips
// it, it is the corresponding moment.
func (d DailyTime) Next(t time.Time) (time.Time, bool) {
	at, err := time.Parse(clock, string(d))
	if err != nil {
		return time.Time{}, false
	}
	for day := range 3 {
		next := time.Date(t.Year(), t.Month(), t.Day()+day, at.Hour(), at.Minute(), 0, 0, t.Location())
		if next.After(t) {
			return next, true
		}
	}
	return time.Time{}, false
}
