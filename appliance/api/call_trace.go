package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

// getCallTrace answers GET /calls/{call_id}/trace: the SIP ladder and the media quality of a call that has ended.
func (s *APIService) getCallTrace(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	trace, err := s.Store.FindTrace(c.Request().Context(), found.OrgID, found.ID)
	return answer(c, http.StatusOK, apimodel.TraceOf(found.ID, trace), err)
}
