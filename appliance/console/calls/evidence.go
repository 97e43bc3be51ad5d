package calls

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/evidence"
)

// sendEvidence sends the signed evidence of a call as a file.
func (s handlers) sendEvidence(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	made, err := evidence.MakeCallEvidence(c.Request().Context(), s.Store, s.Signer, found.OrgID, found.ID, s.Now())
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, evidence.CallMediaType)
	h.Set(echo.HeaderContentDisposition, `attachment; filename="evidence-`+found.ID+`.json"`)
	h.Set(echo.HeaderCacheControl, "no-store")
	return made.WriteFile(c.Response())
}
