package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/monitor/health"
)

// healthBody is the answer of GET /health.
type healthBody struct {
	Status  string      `json:"status"` // "ok"
	Message string      `json:"message"`
	Carrier CarrierInfo `json:"carrier"`
}

// getHealth answers the health check: 503 while the model loads or cannot decode, and during graceful shutdown.
func (s *APIService) getHealth(c echo.Context) error {
	ok, message := s.Health.CanDecode()
	if !ok || s.Health.Phase() == health.Draining {
		r := newUnavailableError()
		r.message = message
		return r
	}
	return writeSuccess(c, http.StatusOK, healthBody{"ok", message, s.Carrier})
}
