package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store/call"
	"munadi/store/delivery"
)

// testWebhook owes the receiver a synthetic notification; an address must be set, whether it is enabled or not.
func (s *Service) testWebhook(c echo.Context) error {
	ctx, orgID, now := c.Request().Context(), principal(c).OrgID, s.Now().UTC()
	w, err := s.Store.Webhook(ctx, orgID)
	if err != nil {
		return err
	}
	if w.URL == "" {
		return violation("url", "is not set: PUT /webhook sets it")
	}
	d := delivery.Delivery{
		ID: delivery.NewID(), OrgID: orgID, Kind: delivery.Test, CallID: call.NewID(), State: delivery.Pending,
		CreatedAt: now, NextAt: now,
	}
	if err := s.Store.AddDelivery(ctx, d); err != nil {
		return err
	}
	return answer(c, http.StatusAccepted, wire.DeliveryOf(d))
}
