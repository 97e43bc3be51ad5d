package console

import (
	"time"

	"github.com/labstack/echo/v4"
)

// organizationZone returns the organization's time zone from its dialling rules, UTC without one.
func (s *ConsoleService) organizationZone(c echo.Context) *time.Location {
	rules, err := s.Store.FindRules(c.Request().Context(), requestVisitor(c).Org.ID)
	if err != nil {
		return time.UTC
	}
	return zoneOf(rules)
}
