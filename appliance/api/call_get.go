package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// getCall answers GET /calls/{call_id}: one call with all its fields.
func (s *APIService) getCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, found)
}

// callOf finds the call that the path names; a malformed id is not_found.
func (s *APIService) callOf(c echo.Context) (call.Call, error) {
	return s.UseCases.FindCall(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("call_id"))
}

func (s *APIService) answerCall(c echo.Context, status int, found call.Call) error {
	body, err := s.buildCallBody(c.Request().Context(), found)
	if err != nil {
		return err
	}
	return writeSuccess(c, status, body)
}

// buildCallBody returns a call's body with the state of its webhook delivery.
func (s *APIService) buildCallBody(ctx context.Context, found call.Call) (apimodel.CallBody, error) {
	var (
		notification *delivery.Delivery
		err          error
	)
	if found.Notify {
		notification, err = s.Store.DeliveryOf(ctx, found.OrgID, found.ID)
	}
	if store.IsUnreadable(err) { // the answer's warnings say so
		notification, err = nil, nil
	}
	return apimodel.CallOf(found, notification, s.Links), err
}
