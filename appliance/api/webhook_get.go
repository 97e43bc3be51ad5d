package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

// getWebhook answers the webhook setting; its signing secrets are never shown again.
func (s *APIService) getWebhook(c echo.Context) error {
	w, err := s.Store.FindWebhook(c.Request().Context(), requestPrincipal(c).OrgID)
	if err != nil {
		return err
	}
	setETag(c, w)
	return writeSuccess(c, http.StatusOK, apimodel.WebhookOf(w, s.Now()))
}
