package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store"
)

// redeliverWebhook queues a finished notification for delivery again (202); 409 while it is pending.
func (s *APIService) redeliverWebhook(c echo.Context) error {
	id := c.Param("delivery_id")
	d, err := s.Store.RedeliverWebhook(c.Request().Context(), requestPrincipal(c).OrgID, id, auditActor(c), s.Now())
	if store.CodeOf(err) == store.CodeConflict {
		return newAPIError(http.StatusConflict, TypeConflict, "This delivery is still under way")
	}
	if err != nil {
		return err
	}
	return writeSuccess(c, http.StatusAccepted, apimodel.DeliveryOf(d))
}
