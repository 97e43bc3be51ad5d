package api

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/apimodel"
	"munadi/store"
)

// createScenario adds a scenario to the organization.
func (s *APIService) createScenario(c echo.Context) error {
	plan, err := planOf(c, "scenario_"+uuid.NewString(), true)
	if err != nil {
		return err
	}
	ctx, who, now := c.Request().Context(), requestPrincipal(c), s.Now().UTC()
	if _, known, err := s.findScenario(ctx, who.OrgID, plan.ID); err != nil || known {
		return idInUse(err)
	}
	plan.OrgID, plan.CreatedAt, plan.UpdatedAt = who.OrgID, now, now
	warnings, err := s.checkSaved(ctx, plan)
	if err != nil {
		return err
	}
	if err := s.Store.CreateScenario(ctx, plan, auditActor(c), now); err != nil {
		if store.CodeOf(err) == store.CodeConflict {
			return idInUse(nil)
		}
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, Root+"/scenarios/"+plan.ID)
	return answerSaved(c, http.StatusCreated, apimodel.ScenarioOf(plan), warnings)
}

// idInUse returns err, or else the 409 of a scenario id that exists.
func idInUse(err error) error {
	if err != nil {
		return err
	}
	return &apiError{
		status: http.StatusConflict, kind: TypeConflict, message: "There is a scenario of this id; PUT replaces it",
		violations: jsonbind.FieldViolations{{Field: "id", Message: "is in use"}},
	}
}
