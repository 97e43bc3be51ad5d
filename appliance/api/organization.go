package api

import (
	"encoding/json"
	"maps"
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

// putOrganization replaces the dialling rules; what is left out goes back to its default. The kill switch alone stays as
// it is: a client that knows nothing of it must not resume calling that somebody stopped.
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
	return s.changeRules(c, func(kept dialling.Rules) (dialling.Rules, error) {
		b.KillSwitch = kept.KillSwitch
		return b.Rules, nil
	})
}

// patchOrganization changes the dialling rules that the body names, and leaves the others. null resets one to its
// default.
func (s *Service) patchOrganization(c echo.Context) error {
	parsed, err := object(c)
	if err != nil {
		return err
	}
	return s.changeRules(c, func(kept dialling.Rules) (dialling.Rules, error) { return mergeRules(kept, parsed) })
}

// mergeRules is rules with the fields of a body in place of their own; the error names every rule that is broken.
func mergeRules(kept dialling.Rules, named map[string]any) (dialling.Rules, error) {
	text, err := json.Marshal(kept)
	if err != nil {
		return kept, err
	}
	parsed, err := body.Parse(text)
	if err != nil {
		return kept, err
	}
	merged := parsed.(map[string]any) //nolint:forcetypeassert // a struct is an object
	maps.Copy(merged, named)
	var b organizationBody
	found := body.Bind(merged, &b)
	for _, fault := range dialling.CheckRules(b.Rules) {
		found.Add(fault.Field, "%s", fault.Message)
	}
	return b.Rules, invalid(found)
}

// changeRules lets change make the organization's new rules out of those that are kept, in one transaction, and answers
// the organization.
func (s *Service) changeRules(c echo.Context, change func(dialling.Rules) (dialling.Rules, error)) error {
	ctx, orgID, now := c.Request().Context(), principal(c).OrgID, s.Now().UTC().Truncate(time.Millisecond)
	o, err := s.Store.Organization(ctx, orgID)
	if err != nil {
		return err
	}
	var after dialling.Rules
	err = s.Store.ChangeRules(ctx, orgID, actor(c), now, func(kept *dialling.Rules) (err error) {
		if after, err = change(*kept); err != nil {
			return err
		}
		after.UpdatedAt = now
		*kept = after
		return nil
	})
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, wire.OrganizationOf(o, after))
}
