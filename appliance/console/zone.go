package console

import (
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/callrules"
)

// rulesKey is the echo context key of the organization's dialling rules.
const rulesKey = "console.rules"

// requestRules returns the dialling rules of the viewed organization, which are read once in a request. A page is shown
// without rules that are damaged; what changes something needs them.
func (s *Console) requestRules(c echo.Context) (callrules.CallRules, error) {
	if rules, isRead := c.Get(rulesKey).(callrules.CallRules); isRead {
		return rules, nil
	}
	rules, err := s.readRules(c)
	if store.IsUnreadable(err) && !isUnsafeMethod(c.Request().Method) {
		rules, err = callrules.CallRules{}, nil // the page's notice says so
		c.Set(rulesKey, rules)
	}
	return rules, err
}

// readRules reads the organization's rules, for [Console.requestRules] too.
func (s *Console) readRules(c echo.Context) (callrules.CallRules, error) {
	rules, err := s.Store.FindRules(c.Request().Context(), requestVisitor(c).Org.ID)
	if err == nil {
		c.Set(rulesKey, rules)
	}
	return rules, err
}

// startOfDay returns the first instant of a calendar day in a zone. Where daylight saving begins at midnight (Cairo,
// Beirut) it is 01:00 on that day; [time.Date] and [time.Time.AddDate] would keep 01:00 for the days after it.
func startOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	return callrules.StartOfDay(time.Date(year, month, day, 12, 0, 0, 0, zone), zone)
}

// dayAfter returns the beginning of the day that is days after that of at, in at's zone.
func dayAfter(at time.Time, days int) time.Time {
	year, month, day := at.Date()
	return startOfDay(year, month, day+days, at.Location())
}

// organizationZone returns the organization's time zone from its dialling rules; UTC if they cannot be read.
func (s *Console) organizationZone(c echo.Context) *time.Location {
	rules, err := s.requestRules(c)
	if err != nil {
		return time.UTC
	}
	return rulesZone(rules)
}

// rulesZone returns the organization's time zone; UTC if it is unknown, which the validation of rules prevents.
func rulesZone(r callrules.CallRules) *time.Location {
	if zone, err := time.LoadLocation(r.TimeZone); err == nil {
		return zone
	}
	return time.UTC
}
