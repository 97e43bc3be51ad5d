package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

// redeliverWebhook queues a finished notification for delivery again (202); 409 while it is pending.
func (s *APIService) redeliverWebhook(c echo.Context) error {
	d, err := s.UseCases.RedeliverWebhook(c.Request().Context(), requestCaller(c), c.Param("delivery_id"))
	return answerWith(c, http.StatusAccepted, d, err, apimodel.DeliveryOf)
}
