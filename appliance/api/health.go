package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/health"
)

// healthBody is what GET /health answers.
type healthBody struct {
	Status  string  `json:"status"` // "ok"
	Message string  `json:"message"`
	Carrier Carrier `json:"carrier"`
}

// health says whether calls can be made: 503 while the model loads, cannot decode, or the service shuts down.
func (s *Service) health(c echo.Context) error {
	ok, message := s.Health.Decodes()
	if !ok || s.Health.Phase() == health.Draining {
		r := unavailable()
		r.message = message
		return r
	}
	return answer(c, http.StatusOK, healthBody{"ok", message, s.Carrier})
}
