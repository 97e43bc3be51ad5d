package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/call"
	"munadi/store/delivery"
)

// testWebhook queues a synthetic notification (202); a URL must be set, whether or not the webhook is enabled.
func (s *APIService) testWebhook(c echo.Context) error {
	ctx, orgID, now := c.Request().Context(), requestPrincipal(c).OrgID, s.Now().UTC()
	w, err := s.Store.FindWebhook(ctx, orgID)
	if err != nil {
		return err
	}
	if w.URL == "" {
		return newFieldViolation("url", "is not set: PUT /webhook sets it")
	}
	d := delivery.Delivery{
		ID: delivery.NewID(), OrgID: orgID, Kind: delivery.Test, CallID: call.NewID(), State: delivery.Pending,
		CreatedAt: now, NextAt: now,
	}
	if err := s.Store.AddDelivery(ctx, d, auditActor(c)); err != nil {
		return err
	}
	return writeSuccess(c, http.StatusAccepted, apimodel.DeliveryOf(d))
}
