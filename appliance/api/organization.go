package api

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/callrules"
	"munadi/store/strictjson"
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
	rules, err := s.Store.FindRules(c.Request().Context(), requestPrincipal(c).OrgID)
	return s.answerRules(c, rules, err)
}

// putOrganization replaces the dialling rules, except the kill switch; omitted ones are reset to their defaults.
func (s *APIService) putOrganization(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b organizationBody
	found := strictjson.BindValue(parsed, &b)
	if _, named := parsed["kill_switch"]; named {
		found.AddViolation("kill_switch", "is not replaced with the rules: PATCH /organization changes it; leave it out here")
	}
	after, err := s.UseCases.ReplaceRules(
		c.Request().Context(), requestCaller(c), b.CallRules, found, ifMatch[callrules.CallRules](c),
	)
	return s.answerRules(c, after, err)
}

// patchOrganization changes the dialling rules in the body. null resets a rule to its default, except kill_switch:
// stopped calling is resumed only by false.
func (s *APIService) patchOrganization(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	after, err := s.UseCases.PatchRules(c.Request().Context(), requestCaller(c), ifMatch[callrules.CallRules](c),
		func(kept callrules.CallRules) (callrules.CallRules, service.FieldViolations, error) {
			return mergeRules(kept, parsed)
		})
	return s.answerRules(c, after, err)
}

// mergeRules returns rules with the fields of a body replaced, and the violations of the result's form. The periods of
// retention_days are fields of their own; calling hours and lists are replaced as a whole.
func mergeRules(kept callrules.CallRules, named map[string]any) (callrules.CallRules, service.FieldViolations, error) {
	text, err := json.Marshal(kept)
	if err != nil {
		return kept, nil, err
	}
	parsed, err := strictjson.ParseJSON(text)
	if err != nil {
		return kept, nil, err
	}
	merged := parsed.(map[string]any) //nolint:forcetypeassert // a struct is an object
	stopped, periods := merged["kill_switch"], merged["retention_days"]
	maps.Copy(merged, named)
	if merged["kill_switch"] == nil {
		merged["kill_switch"] = stopped
	}
	merged["retention_days"] = mergeObject(periods, merged["retention_days"])
	var b organizationBody
	found := strictjson.BindValue(merged, &b)
	return b.CallRules, found, nil
}

// mergeObject returns kept with the names of named replaced, or named if either is not an object.
func mergeObject(kept, named any) any {
	before, ok := kept.(map[string]any)
	after, alsoOK := named.(map[string]any)
	if !ok || !alsoOK {
		return named
	}
	merged := maps.Clone(before)
	maps.Copy(merged, after)
	return merged
}

// answerRules answers the organization with its rules, or the error.
func (s *APIService) answerRules(c echo.Context, rules callrules.CallRules, err error) error {
	if err != nil {
		return err
	}
	o, err := s.Store.FindOrganization(c.Request().Context(), requestPrincipal(c).OrgID)
	return answerSetting(c, rules, err, func(rules callrules.CallRules) apimodel.OrganizationBody {
		return apimodel.OrganizationOf(o, rules)
	})
}
