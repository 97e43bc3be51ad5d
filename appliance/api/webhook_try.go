package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

// testWebhook queues a synthetic notification (202); a URL must be set, whether or not the webhook is enabled.
func (s *APIService) testWebhook(c echo.Context) error {
	d, err := s.UseCases.TestWebhook(c.Request().Context(), requestCaller(c))
	return answerWith(c, http.StatusAccepted, d, err, apimodel.DeliveryOf)
}
