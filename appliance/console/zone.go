package console

import (
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store/callrules"
)

// rulesKey is the echo context key of the organization's dialling rules.
const rulesKey = "console.rules"

// requestRules returns the dialling rules of the viewed organization, which are read once in a request.
func (s *ConsoleService) requestRules(c echo.Context) (callrules.CallRules, error) {
	if rules, isRead := c.Get(rulesKey).(callrules.CallRules); isRead {
		return rules, nil
	}
	rules, err := s.Store.FindRules(c.Request().Context(), requestVisitor(c).Org.ID)
	if err == nil {
		c.Set(rulesKey, rules)
	}
	return rules, err
}

// organizationZone returns the organization's time zone from its dialling rules; UTC if they cannot be read.
func (s *ConsoleService) organizationZone(c echo.Context) *time.Location {
	rules, err := s.requestRules(c)
	if err != nil {
		return time.UTC
	}
	return rulesZone(rules)
}
