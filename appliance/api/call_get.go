package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store/call"
	"munadi/store/delivery"
)

// getCall answers one call, whole.
func (s *Service) getCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, found)
}

// callOf is the call that the path names.
func (s *Service) callOf(c echo.Context) (call.Call, error) {
	id := c.Param("call_id")
	if !call.ValidID(id) {
		return call.Call{}, notFound()
	}
	return s.Store.Call(c.Request().Context(), principal(c).OrgID, id)
}

func (s *Service) answerCall(c echo.Context, status int, found call.Call) error {
	body, err := s.wired(c.Request().Context(), found)
	if err != nil {
		return err
	}
	return answer(c, status, body)
}

// wired is a call's body, with how its notification fares.
func (s *Service) wired(ctx context.Context, found call.Call) (wire.Call, error) {
	var (
		owed *delivery.Delivery
		err  error
	)
	if found.Notify {
		owed, err = s.Store.DeliveryOf(ctx, found.OrgID, found.ID)
	}
	return wire.CallOf(found, owed, s.Links), err
}
