package api

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/evidence"
)

// getEvidence answers the signed evidence of a call as a file, which munadi evidence FILE checks.
func (s *APIService) getEvidence(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	made, err := evidence.MakeCallEvidence(c.Request().Context(), s.Store, s.Signer, found.OrgID, found.ID, s.Now())
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentType, evidence.CallMediaType)
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="evidence-`+found.ID+`.json"`)
	return made.WriteFile(c.Response())
}
