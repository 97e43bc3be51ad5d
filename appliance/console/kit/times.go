package kit

import (
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/callrules"
)

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

// rulesKey is the echo context key of the organization's dialling rules.
const rulesKey = "console.rules"

// RequestRules returns the dialling rules of the viewed organization, which are read once in a request. A page is shown
// without rules that are damaged; what changes something needs them.
func (s *Console) RequestRules(c echo.Context) (callrules.CallRules, error) {
	if rules, isRead := c.Get(rulesKey).(callrules.CallRules); isRead {
		return rules, nil
	}
	rules, err := s.ReadRules(c)
	if store.IsUnreadable(err) && !isUnsafeMethod(c.Request().Method) {
		rules, err = callrules.CallRules{}, nil // the page's notice says so
		c.Set(rulesKey, rules)
	}
	return rules, err
}

// ReadRules reads the organization's rules, for [Console.RequestRules] too.
func (s *Console) ReadRules(c echo.Context) (callrules.CallRules, error) {
	rules, err := s.Store.FindRules(c.Request().Context(), RequestVisitor(c).Org.ID)
	if err == nil {
		c.Set(rulesKey, rules)
	}
	return rules, err
}

// StartOfDay returns the first instant of a calendar day in a zone. Where daylight saving begins at midnight (Cairo,
// Beirut) it is 01:00 on that day; [time.Date] and [time.Time.AddDate] would keep 01:00 for the days after it.
func StartOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	return callrules.StartOfDay(time.Date(year, month, day, 12, 0, 0, 0, zone), zone)
}

// DayAfter returns the beginning of the day that is days after that of at, in at's zone.
func DayAfter(at time.Time, days int) time.Time {
	year, month, day := at.Date()
	return StartOfDay(year, month, day+days, at.Location())
}

// OrganizationZone returns the organization's time zone from its dialling rules; UTC if they cannot be read.
func (s *Console) OrganizationZone(c echo.Context) *time.Location {
	rules, err := s.RequestRules(c)
	if err != nil {
		return time.UTC
	}
	return RulesZone(rules)
}

// RulesZone returns the organization's time zone; UTC if it is unknown, which the validation of rules prevents.
func RulesZone(r callrules.CallRules) *time.Location {
	if zone, err := time.LoadLocation(r.TimeZone); err == nil {
		return zone
	}
	return time.UTC
}
