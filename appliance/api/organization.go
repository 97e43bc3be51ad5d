package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/apimodel"
	"munadi/store/callrules"
)

// organizationBody is the request body of PUT /organization: the dialling rules, and the read-only fields of GET.
type organizationBody struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	callrules.CallRules
}

// getOrganization answers the organization and its dialling rules.
func (s *APIService) getOrganization(c echo.Context) error {
	ctx, orgID := c.Request().Context(), requestPrincipal(c).OrgID
	o, err := s.Store.FindOrganization(ctx, orgID)
	if err != nil {
		return err
	}
	rules, err := s.Store.FindRules(ctx, orgID)
	if err != nil {
		return err
	}
	return writeSuccess(c, http.StatusOK, apimodel.OrganizationOf(o, rules))
}

// putOrganization replaces the dialling rules; what is left out goes back to its default. The kill switch is not
// changed: a client that does not know of it must not resume calling that somebody stopped.
func (s *APIService) putOrganization(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b organizationBody
	found := jsonbind.BindValue(parsed, &b)
	for _, fault := range callrules.CheckRules(b.CallRules) {
		found.AddViolation(fault.Field, "%s", fault.Message)
	}
	if err := newValidationError(found); err != nil {
		return err
	}
	return s.changeRules(c, func(kept callrules.CallRules) (callrules.CallRules, error) {
		b.KillSwitch = kept.KillSwitch
		return b.CallRules, nil
	})
}

// patchOrganization changes the dialling rules that the body names. null resets a rule to its default.
func (s *APIService) patchOrganization(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	return s.changeRules(
		c,
		func(kept callrules.CallRules) (callrules.CallRules, error) { return mergeRules(kept, parsed) },
	)
}

// mergeRules returns rules with the fields of a body replaced; the error names every rule that is broken.
func mergeRules(kept callrules.CallRules, named map[string]any) (callrules.CallRules, error) {
	text, err := json.Marshal(kept)
	if err != nil {
		return kept, err
	}
	parsed, err := jsonbind.ParseJSON(text)
	if err != nil {
		return kept, err
	}
	merged := parsed.(map[string]any) //nolint:forcetypeassert // a struct is an object
	maps.Copy(merged, named)
	var b organizationBody
	found := jsonbind.BindValue(merged, &b)
	for _, fault := range callrules.CheckRules(b.CallRules) {
		found.AddViolation(fault.Field, "%s", fault.Message)
	}
	return b.CallRules, newValidationError(found)
}

// changeRules changes the organization's rules by a function, in one transaction with its audit entry, and answers
// the organization.
func (s *APIService) changeRules(c echo.Context, change func(callrules.CallRules) (callrules.CallRules, error)) error {
	ctx, orgID, now := c.Request().Context(), requestPrincipal(c).OrgID, s.Now().UTC().Truncate(time.Millisecond)
	o, err := s.Store.FindOrganization(ctx, orgID)
	if err != nil {
		return err
	}
	var after callrules.CallRules
	err = s.Store.ChangeRules(ctx, orgID, auditActor(c), now, func(kept *callrules.CallRules) (err error) {
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
	return writeSuccess(c, http.StatusOK, apimodel.OrganizationOf(o, after))
}
