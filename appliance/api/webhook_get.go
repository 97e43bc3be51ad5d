package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
)

// getWebhook answers the setting; its signing secrets are never shown again.
func (s *Service) getWebhook(c echo.Context) error {
	w, err := s.Store.Webhook(c.Request().Context(), principal(c).OrgID)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, wire.WebhookOf(w, s.Now()))
}
