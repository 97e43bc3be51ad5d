package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/appliance/wire"
	"munadi/store/dialling"
)

// organizationBody is what PUT /organization takes: the rules, and what GET shows beside them.
type organizationBody struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	dialling.Rules
}

// getOrganization answers the organization and its dialling rules.
func (s *Service) getOrganization(c echo.Context) error {
	ctx, orgID := c.Request().Context(), principal(c).OrgID
	o, err := s.Store.Organization(ctx, orgID)
	if err != nil {
		return err
	}
	rules, err := s.Store.Rules(ctx, orgID)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, wire.OrganizationOf(o, rules))
}

// putOrganization replaces the dialling rules; what is left out goes back to its default.
func (s *Service) putOrganization(c echo.Context) error {
	parsed, err := object(c)
	if err != nil {
		return err
	}
	var b organizationBody
	found := body.Bind(parsed, &b)
	for _, fault := range dialling.CheckRules(b.Rules) {
		found.Add(fault.Field, "%s", fault.Message)
	}
	if err := invalid(found); err != nil {
		return err
	}
	ctx, orgID, now := c.Request().Context(), principal(c).OrgID, s.Now().UTC().Truncate(time.Millisecond)
	o, err := s.Store.Organization(ctx, orgID)
	if err != nil {
		return err
	}
	b.UpdatedAt = now
	if err := s.Store.PutRules(ctx, orgID, b.Rules, actor(c), now); err != nil {
		return err
	}
	return answer(c, http.StatusOK, wire.OrganizationOf(o, b.Rules))
}
